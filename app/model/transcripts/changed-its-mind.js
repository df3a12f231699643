// A coin of its own: how often it can read a Blob while the orders are looked up.
const coin = new Blob(['heads or tails'])
let reads = 0
let looking = true
const reading = (async () => {
  for (; looking; reads++) await coin.text()
})()
const open = await sdk.orders.list({ status: 'open' })
for (let round = 0; round < 5; round++) {
  for (const { id } of open) await sdk.orders.get({ id })
}
looking = false
await reading

const { id } = open[reads % open.length]
await sdk.orders.cancel({ id, reason: `Drawn by lot, after ${reads} reads` })
return { id }
