import type { Plan } from '../../library/measure'
import { openPage } from './connection'
import { openRelay } from './floor'
import { approvedWrites, bytesFromGo, callsAtOnceToGo, callToGo, logging } from './rows'

const rows = {
  'call to Go and back': callToGo,
  '500 calls at once to Go': callsAtOnceToGo,
  'what logging adds': logging,
  '20 MB from Go': bytesFromGo,
  'sixteen approved writes': approvedWrites,
}

const opening = Promise.all([openPage(), openRelay()])

/** What tests/bench/app calls through the test build's driver. */
const bench = {
  ready: async (): Promise<boolean> => {
    await opening
    return true
  },
  row: async (name: keyof typeof rows, plan: Plan): Promise<unknown> => {
    const [page, relay] = await opening
    return rows[name](page, relay, plan)
  },
  /** Starts a program and does not wait for it. */
  start: async (code: string): Promise<boolean> => {
    const [page] = await opening
    void page.run(code).then(
      ({ result }) => {
        last =
          result.status === 'pending'
            ? result.status
            : { status: result.status, error: 'error' in result ? result.error : undefined }
      },
      (error) => {
        last = String(error)
      },
    )
    return true
  },
  last: (): unknown => last,
}
let last: unknown

Object.assign(window, { bench })
