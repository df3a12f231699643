const open = await sdk.orders.list({ status: 'open' })
return await sdk.orders.archive({ ids: open.map((order) => order.id) })
