const open = await sdk.orders.list({ status: 'open', customer: 'Jonas Weber' })

const cancelled = []
const rejected = []
for (const { id, item } of open) {
  try {
    await sdk.orders.cancel({ id, reason: `Customer moved away: ${item}` })
    cancelled.push(id)
  } catch (error) {
    if (error.name !== 'ApprovalRejected') throw error
    rejected.push(id)
  }
}
return { cancelled, rejected }
