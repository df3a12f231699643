// Tasks of the harness's own: pings over a channel that nothing else can name
// or reach. Timers take a millisecond each in two engines.

import { uncurry } from '../shared/intrinsics.js'

interface Act {
  act: () => void
  next: Act | undefined
}

const { port1, port2 } = new MessageChannel()
const post = uncurry(port1.postMessage as (this: MessagePort, message: unknown) => void)
let first: Act | undefined
let last: Act | undefined

port2.onmessage = () => {
  const { act, next } = first as Act
  first = next
  act()
}

/** Acts in a task of its own, behind those that were asked for before. */
export const later = (act: () => void): void => {
  const added: Act = { act, next: undefined }
  if (first) (last as Act).next = added
  else first = added
  last = added
  post(port1, null)
}
