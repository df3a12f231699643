import { type Contestant, measure } from '../measure.js'
import { expectSame, keptRow, type Row } from '../row.js'
import { echo, type Opened, type Runner } from '../runner.js'
import { direct, port, relay } from '../runners/bare.js'
import { cold, coldSrcdoc, ours, warm } from '../runners/ours.js'
import { codemode, peers } from '../runners/peers.js'

const one = async (opened: Opened): Promise<void> => expectSame(await opened.run('return 1', echo), 1)

const fromNothing = (runner: Runner): Contestant => ({
  name: runner.name,
  kind: runner.kind,
  sample: async () => {
    const began = performance.now()
    const opened = await runner.open()
    try {
      await one(opened)
      return { ms: performance.now() - began }
    } finally {
      opened.close()
    }
  },
})

/** From nothing to the result of `return 1`. */
export const coldStart: Row = {
  name: 'cold start',
  run: async (plan) => ({ series: await measure([cold, coldSrcdoc, relay, port, ...peers].map(fromNothing), plan) }),
}

/** The same where everything that can be kept is kept and ready. */
export const warmStart: Row = keptRow('warm start', [warm, relay, port, direct, ...peers], async (opened) => {
  const began = performance.now()
  await one(opened)
  return { ms: performance.now() - began }
})

const many = 30

/** Thirty runs one after the other, each in a worker of its own; ms for each. */
export const backToBack: Row = {
  name: 'thirty runs back to back',
  run: async (plan, machine) => {
    const frames = countFrames()
    const row = keptRow('', [warm, relay, codemode], async (opened) => {
      const began = performance.now()
      for (let i = 0; i < many; i++) await one(opened)
      return { ms: (performance.now() - began) / many }
    })
    // Its spare is started by the runs themselves: what comes first is part of the thirty.
    const { series } = await row.run(plan, machine)
    return { series, facts: { 'frames made by countersign': frames.stop() } }
  },
}

/** Four runs at once with four spare workers: none pays for the start of a worker. */
export const burst: Row = keptRow(
  'a burst of four',
  [ours({ name: 'countersign, warm: 4', options: { warm: 4 } }), warm, relay],
  async (opened) => {
    const began = performance.now()
    await Promise.all([one(opened), one(opened), one(opened), one(opened)])
    return { ms: performance.now() - began }
  },
)

/** Counts the frames that the library adds to the page. */
const countFrames = (): { stop(): number } => {
  let made = 0
  const count = (records: MutationRecord[]): void => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node instanceof HTMLIFrameElement && node.src.endsWith('/sandbox.html')) made++
  }
  const observer = new MutationObserver(count)
  observer.observe(document, { childList: true, subtree: true })
  return {
    stop: () => {
      count(observer.takeRecords())
      observer.disconnect()
      return made
    },
  }
}
