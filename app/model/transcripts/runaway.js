const open = await sdk.orders.list({ status: 'open' })
let rest = open.reduce((sum, order) => sum + order.total, 0)

let days = 0
while (rest !== 0) {
  rest -= 250
  days++
}
return { days }
