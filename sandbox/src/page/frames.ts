// The frames of one sandbox: one that is kept with its spare workers, or one
// for each run.

import { unavailable } from './ending.js'
import { type Frame, openFrame, type WorkerHandle } from './frame.js'
import type { Checked } from './options.js'
import type { Lease } from './run.js'
import { within } from './within.js'

export interface Frames {
  /** What a run has of frames: the kept one, or one of its own until it ends. */
  lease(): Lease
  /** Removes them all. */
  end(): void
}

export const disposedText = 'the sandbox was disposed'

/** `gone` fires when the sandbox is disposed: no frame starts after that. */
export const makeFrames = ({ source, spares, bootTimeoutMs }: Checked, gone: AbortSignal): Frames => {
  let kept: Promise<Frame> | undefined
  const frames = new Set<Frame>()

  const open = async (keep: number): Promise<Frame> => {
    const where = 'url' in source ? source : { document: (await import('./document.js')).frameDocument }
    const frame = openFrame(where, keep, () => {
      frames.delete(frame)
      if (keep) kept = undefined
    })
    frames.add(frame)
    if (gone.aborted) frame.end(disposedText)
    return frame
  }

  const lease = (): Lease => {
    let own: Promise<Frame> | undefined
    const worker = async (signal: AbortSignal): Promise<WorkerHandle> => {
      let over = false
      let stopWaiting = () => {}
      const found = new Promise<WorkerHandle>((done, failed) => {
        const fail = (reason: string) => failed(unavailable(reason))
        const ask = () => {
          if (spares) kept ??= open(spares)
          else own ??= open(0)
          ;(own ?? (kept as Promise<Frame>)).then(
            (frame) => {
              if (over) return
              stopWaiting = frame.acquire({
                done,
                failed: (reason, elsewhere) => {
                  if (!elsewhere || signal.aborted) return fail(reason)
                  own = undefined
                  ask()
                },
              })
            },
            (error) => {
              kept = own = undefined
              fail(`The frame document could not be loaded: ${error}`)
            },
          )
        }
        if (!signal.aborted) ask()
      })
      const late = unavailable(`The frame and its worker did not start within ${bootTimeoutMs} ms.`)
      try {
        return await within(found, signal, bootTimeoutMs, late)
      } finally {
        over = true
        stopWaiting()
      }
    }
    return {
      worker,
      release: () => {
        const ended = own
        own = undefined
        // In a later task: removing a frame takes a while, and the result does not wait for it.
        setTimeout(() => ended?.then((frame) => frame.end('The run has ended.')).catch(() => {}))
      },
    }
  }

  // Called when the runs have been aborted: a frame that ends under a run is a fault.
  const end = () => {
    for (const frame of frames) frame.end(disposedText)
  }
  if (spares) {
    kept = open(spares)
    kept.catch(() => {})
  }
  return { lease, end }
}
