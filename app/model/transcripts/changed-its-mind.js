// A coin of its own: how often a timer ticks while the orders are looked up.
let ticks = 0
const timer = setInterval(() => ticks++, 1)
const open = await sdk.orders.list({ status: 'open' })
for (let round = 0; round < 5; round++) {
  for (const { id } of open) await sdk.orders.get({ id })
}
clearInterval(timer)

const { id } = open[ticks % open.length]
await sdk.orders.cancel({ id, reason: `Drawn by lot, after ${ticks} ticks` })
return { id }
