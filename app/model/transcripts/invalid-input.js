const [order] = await sdk.orders.list({ status: 'open' })
return await sdk.orders.cancel({ id: `#${order.id}` })
