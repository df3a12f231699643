// Last week: Monday to Sunday of the week before this one.
const day = (fromMonday) => {
  const date = new Date()
  date.setHours(12, 0, 0, 0)
  date.setDate(date.getDate() - ((date.getDay() + 6) % 7) + fromMonday)
  const two = (part) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const open = await sdk.orders.list({ status: 'open', from: day(-7), to: day(-1) })
const large = open.filter((order) => order.total > 100)
console.log(`${large.length} of ${open.length} open orders from last week are over $100`)

const cancelled = []
const rejected = []
for (const { id } of large) {
  try {
    await sdk.orders.cancel({ id, reason: 'Open order over $100 from last week' })
    cancelled.push(id)
  } catch (error) {
    if (error.name !== 'ApprovalRejected') throw error
    rejected.push(id)
  }
}
return { cancelled, rejected }
