const open = await sdk.orders.list({ status: 'open' })
let sum = 0
while (sum >= 0) {
  for (const order of open) sum += order.total
}
return sum
