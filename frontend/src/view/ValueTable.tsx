import {
  type ColumnDef,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import { plainLines } from '../value/plain'
import { inline } from '../value/print'
import type { Rows } from './rows'

type Row = Record<string, unknown>

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
})

/** A list of objects as a table, which can be sorted by each column. */
export const ValueTable = ({ rows: { columns, rows } }: { rows: Rows }) => {
  const definitions = useMemo(
    () =>
      columns.map((name, at): ColumnDef<typeof features, Row> => {
        const number = rows.every((row) => row[name] === undefined || typeof row[name] === 'number')
        return {
          id: `${at}`,
          header: name,
          accessorFn: (row) => (number ? row[name] : textOf(row[name])),
          sortFn: number ? 'basic' : 'alphanumeric',
        }
      }),
    [columns, rows],
  )
  const table = useTable({ features, columns: definitions, data: rows })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: the table is inside
    <div className="value-table" tabIndex={0} role="group" aria-label="Result as a table">
      <table>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map(({ id, column }) => {
                const sorted = column.getIsSorted()
                return (
                  <th
                    key={id}
                    scope="col"
                    aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : 'none'}
                  >
                    <button type="button" onClick={column.getToggleSortingHandler()}>
                      {plainLines(columns[Number(column.id)] ?? '')}
                      <span aria-hidden="true">{sorted === 'asc' ? ' ↑' : sorted === 'desc' ? ' ↓' : ''}</span>
                    </button>
                  </th>
                )
              })}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              {columns.map((name) => (
                <td key={name} className={typeof row.original[name] === 'number' ? 'number' : undefined}>
                  {textOf(row.original[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? plainLines(value) : inline(value, 120)
