const [order] = await sdk.orders.list({ status: 'open' })
return order.total.toDollars()
