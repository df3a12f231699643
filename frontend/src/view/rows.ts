/** Rows with the columns that any of them has. */
export interface Rows {
  columns: string[]
  rows: Record<string, unknown>[]
}

const mostColumns = 16
const mostRows = 1000

/**
 * The rows of a value that is a table: a list of two or more plain objects with
 * columns in common, or an object whose one list is such. Others are not.
 */
export const rowsOf = (value: unknown): Rows | undefined => {
  const list = Array.isArray(value) ? value : listIn(value)
  if (!list || list.length < 2 || list.length > mostRows || !list.every(isPlain)) return undefined
  const columns: string[] = []
  for (const row of list) for (const key of Object.keys(row)) if (!columns.includes(key)) columns.push(key)
  if (columns.length === 0 || columns.length > mostColumns) return undefined
  // Rows that have little in common are no table.
  const filled = list.reduce((sum: number, row) => sum + Object.keys(row).length, 0)
  return filled < list.length * columns.length * 0.5 ? undefined : { columns, rows: list }
}

const listIn = (value: unknown): unknown[] | undefined => {
  if (!isPlain(value)) return undefined
  const parts = Object.values(value)
  return parts.length === 1 && Array.isArray(parts[0]) ? parts[0] : undefined
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value))
