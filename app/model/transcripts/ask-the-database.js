const file = 'Books/invoices.db'
const now = new Date()
const two = (part) => String(part).padStart(2, '0')
const day = (date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
const today = day(now)
const limit = day(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 60, 12))

const { rows } = await sdk.database.query({
  file,
  sql: `SELECT c.name, count(*) AS invoices, round(sum(i.amount), 2) AS owed
        FROM invoices i JOIN customers c ON c.id = i.customer
        WHERE i.paid IS NULL AND i.reminded IS NULL AND i.due < ?
        GROUP BY c.id ORDER BY owed DESC`,
  parameters: [limit],
})
console.log(`${rows.length} customers owe something for more than 60 days`)

// Noting it in the same breath would be shorter, if a query could change anything.
let refusal = ''
try {
  await sdk.database.query({ file, sql: 'UPDATE invoices SET reminded = ? RETURNING id', parameters: [today] })
} catch (error) {
  refusal = error.message
}

let noted = true
try {
  await sdk.database.execute({
    file,
    sql: 'UPDATE invoices SET reminded = :today WHERE paid IS NULL AND reminded IS NULL AND due < :limit',
    parameters: { today, limit },
  })
} catch (error) {
  if (error.name !== 'ApprovalRejected') throw error
  noted = false
}
return { owing: rows, refusal, noted: noted ? [today] : [] }
