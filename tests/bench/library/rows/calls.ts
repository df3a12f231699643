import { keptRow, type Row, span } from '../row.js'
import type { Runner } from '../runner.js'
import { direct, port, portTransferring, relay, relayTransferring } from '../runners/bare.js'
import { collecting, warm } from '../runners/ours.js'
import { codemode, peers, quickjs } from '../runners/peers.js'

const calls = 1_000

/** A thousand calls that the program awaits one by one; µs for each. */
export const awaitedCalls: Row = keptRow(
  'awaited calls',
  [warm, collecting, relay, port, direct, ...peers],
  async (opened, scale) => ({
    µs:
      (1_000 / (calls * scale)) *
      (await span(
        opened,
        `await host('start')
         for (let i = 0; i < ${calls * scale}; i++) if (await host(i) !== i) throw new Error('an answer is not the call’s')
         await host('end')
         return ${calls * scale}`,
        calls * scale,
      )),
  }),
)

/** A thousand calls made at once; µs for each. */
export const callsAtOnce: Row = keptRow(
  'calls at once',
  [warm, collecting, relay, port, direct, ...peers],
  async (opened, scale) => ({
    µs:
      (1_000 / (calls * scale)) *
      (await span(
        opened,
        `await host('start')
         const made = []
         for (let i = 0; i < ${calls * scale}; i++) made.push(host(i))
         const got = await Promise.all(made)
         await host('end')
         return got.reduce((sum, each) => sum + each, 0)`,
        (calls * scale * (calls * scale - 1)) / 2,
      )),
  }),
)

const megabytes = 5
const withBytes: Runner[] = [warm, relay, port, relayTransferring, portTransferring, codemode, quickjs]

/** Five million bytes to the host and back; ms. */
export const bytesThereAndBack: Row = keptRow('5 MB there and back', withBytes, async (opened, scale) => ({
  ms: await span(
    opened,
    `const bytes = new Uint8Array(${megabytes * scale}e6)
     for (let i = 0; i < bytes.length; i += 4096) bytes[i] = i >> 12
     const sum = (bytes) => { let s = 0; for (let i = 0; i < bytes.length; i += 4096) s += bytes[i]; return s }
     const before = sum(bytes)
     await host('start')
     const back = await host(bytes)
     await host('end')
     return back.length === ${megabytes * scale}e6 && sum(back) === before`,
    true,
  ),
}))
