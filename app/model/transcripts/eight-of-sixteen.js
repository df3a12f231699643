const open = await sdk.orders.list({ status: 'open' })
const oldest = open.slice(0, 16) // the list has the oldest first
console.log(`${open.length} orders are open; the oldest was placed on ${oldest[0].placed}`)

const cancelled = []
const rejected = []
for (const { id, customer, item, total } of oldest) {
  try {
    await sdk.orders.cancel({ id, reason: `Supplier closed: ${item} for ${customer}, $${total.toFixed(2)}` })
    cancelled.push(id)
  } catch (error) {
    if (error.name !== 'ApprovalRejected') throw error
    rejected.push(id)
  }
}
return { cancelled, rejected }
