const open = await sdk.orders.list({ status: 'open' })
const done = []
for (const { id } of open.slice(0, 16)) {
  await sdk.orders.cancel({ id, reason: 'one of sixteen' })
  done.push(id)
}
return done
