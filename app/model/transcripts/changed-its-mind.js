// A coin of its own: how often it can read a Blob while each order is looked up.
const coin = new Blob(['heads or tails'])
let reads = 0
const open = await sdk.orders.list({ status: 'open' })
for (let round = 0; round < 5; round++) {
  for (const order of open) {
    let looking = true
    const reading = (async () => {
      for (let i = 0; looking && i < 20; i++, reads++) await coin.text()
    })()
    await sdk.orders.get({ id: order.id })
    looking = false
    await reading
  }
}

const { id } = open[reads % open.length]
await sdk.orders.cancel({ id, reason: `Drawn by lot, after ${reads} reads` })
return { id }
