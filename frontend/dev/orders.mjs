import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const seed = join(import.meta.dirname, '../../app/functions/orders/seed.csv')

/** The demo's orders as of a day, as app/functions/orders makes them. */
export const ordersOf = async (now) => {
  const table = await readFile(seed, 'utf8')
  const rows = table.trim().split('\n').slice(1)
  return rows.map((row, at) => {
    const [week, day, customer, item, total, status] = row.split(',')
    const monday = now.getDate() - ((now.getDay() + 6) % 7)
    const date = new Date(now.getFullYear(), now.getMonth(), monday - 7 * Number(week) + Number(day) - 1, 12)
    const placed = date > now ? now : date
    const two = (n) => String(n).padStart(2, '0')
    const text = `${placed.getFullYear()}-${two(placed.getMonth() + 1)}-${two(placed.getDate())}`
    return { id: 1001 + at, customer, item, total: Number(total), status, placed: text }
  })
}
