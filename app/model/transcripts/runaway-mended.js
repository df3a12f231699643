const open = await sdk.orders.list({ status: 'open' })
const total = open.reduce((sum, order) => sum + order.total, 0)
return { total: total.toFixed(2), days: Math.ceil(total / 250) }
