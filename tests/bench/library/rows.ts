import type { Row } from './row.js'
import { approvals, replay } from './rows/approval.js'
import { awaitedCalls, bytesThereAndBack, callsAtOnce } from './rows/calls.js'
import { growth } from './rows/growth.js'
import { backToBack, burst, coldStart, warmStart } from './rows/start.js'
import { stopping } from './rows/stop.js'
import { cpuLoop, json, sorting } from './rows/work.js'

export const rows: Row[] = [
  coldStart,
  warmStart,
  backToBack,
  burst,
  awaitedCalls,
  callsAtOnce,
  cpuLoop,
  sorting,
  json,
  bytesThereAndBack,
  stopping,
  approvals,
  replay,
  growth,
]
