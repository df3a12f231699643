const { entries } = await sdk.files.list({ path: 'Downloads' })

const moves = []
const folders = new Set()
for (const { path, name, kind } of entries) {
  if (kind !== 'file') continue
  let folder
  if (/\.(png|jpe?g)$/i.test(name)) {
    folder = 'Downloads/Pictures'
  } else if (/\.txt$/i.test(name)) {
    // What it says counts, not what it is called.
    const { text } = await sdk.files.read({ path })
    const year = /^(?:Invoice|Rechnung) (\d{4})-/.exec(text)?.[1]
    if (year) folder = `Downloads/Invoices/${year}`
  }
  if (!folder) continue
  folders.add(folder)
  moves.push({ from: path, to: `${folder}/${name}` })
}

const moved = []
const left = []
for (const path of folders) {
  try {
    await sdk.files.makeFolder({ path })
  } catch (error) {
    if (error.name !== 'ApprovalRejected') throw error
  }
}
for (const move of moves) {
  try {
    await sdk.files.move(move)
    moved.push(move.to)
  } catch (error) {
    left.push(move.from)
  }
}
return { moved, left }
