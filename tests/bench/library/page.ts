// The page that measures one row and reports to the bench's server.
import type { Machine } from './row.js'
import { rows } from './rows.js'

const asked = new URLSearchParams(location.search)
const announce = (name: string): Promise<unknown> => fetch(`/now?${new URLSearchParams({ name })}`, { method: 'POST' })
const machine: Machine = {
  measure: async (collect = false) => (await fetch(collect ? '/measure?collect' : '/measure')).json(),
}

const report = async (): Promise<unknown> => {
  const row = rows.find(({ name }) => name === asked.get('row'))
  if (!row) return { failure: `there is no row ${asked.get('row')}` }
  const plan = {
    rounds: Number(asked.get('rounds')),
    budgetMs: Number(asked.get('budgetMs')),
    short: asked.has('short'),
    announce,
    without: asked.getAll('without'),
  }
  try {
    return await row.run(plan, machine)
  } catch (error) {
    return { failure: error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error) }
  }
}

await fetch('/report', { method: 'POST', body: JSON.stringify(await report()) })
