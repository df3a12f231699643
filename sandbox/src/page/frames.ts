// The frames of one sandbox: one that is kept with its spare workers, or one
// for each run.

import { Frame, type WorkerHandle } from './frame.js'
import type { Checked } from './options.js'
import { type Lease, Unavailable } from './run.js'
import { after } from './timer.js'

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

  const openFrame = async (keep: number): Promise<Frame> => {
    const where = 'url' in source ? source : { document: (await import('./document.js')).frameDocument }
    const frame = new Frame(where, keep, () => {
      frames.delete(frame)
      if (keep) kept = undefined
    })
    frames.add(frame)
    if (gone.aborted) frame.end(disposedText)
    return frame
  }
  const keptFrame = () => {
    kept ??= openFrame(spares)
    return kept
  }

  const lease = (): Lease => {
    let own: Promise<Frame> | undefined
    return {
      worker: (signal) =>
        new Promise<WorkerHandle>((done, failed) => {
          let cancel = () => {}
          const settle = () => {
            clearTimeout(timer)
            signal.removeEventListener('abort', aborted)
            cancel()
          }
          const aborted = () => {
            settle()
            failed(signal.reason)
          }
          const timer = after(bootTimeoutMs, () => {
            settle()
            failed(new Unavailable(`The frame and its worker did not start within ${bootTimeoutMs} ms.`))
          })
          if (signal.aborted) return aborted()
          signal.addEventListener('abort', aborted)
          let over = false
          cancel = () => {
            over = true
          }
          const ask = () => {
            if (!spares) own ??= openFrame(0)
            const opened = own ?? keptFrame()
            opened.then(
              (frame) => {
                if (over) return
                cancel = frame.acquire({
                  done: (worker) => {
                    settle()
                    done(worker)
                  },
                  failed: (reason, elsewhere) => {
                    if (elsewhere && !signal.aborted) {
                      own = undefined
                      return ask()
                    }
                    settle()
                    failed(signal.aborted ? signal.reason : new Unavailable(reason))
                  },
                })
              },
              (error) => {
                if (spares) kept = undefined
                own = undefined
                settle()
                failed(new Unavailable(`The frame document could not be loaded: ${error}`))
              },
            )
          }
          ask()
        }),
      release: () => {
        own?.then((frame) => frame.end('The run has ended.')).catch(() => {})
        own = undefined
      },
    }
  }

  // Called when the runs have been aborted: a frame that ends under a run is a fault.
  const end = () => {
    for (const frame of frames) frame.end(disposedText)
  }
  if (spares) keptFrame().catch(() => {})
  return { lease, end }
}
