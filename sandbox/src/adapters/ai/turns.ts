// One card at a time, also when two programs of one answer run side by side.

/** Makes a queue for questions to a person. */
export const makeTurns = () => {
  let last: Promise<unknown> = Promise.resolve()
  /** Asks when all earlier questions are answered. Rejects as soon as the signal fires, asked or not. */
  return <T>(signal: AbortSignal, ask: () => T): Promise<Awaited<T>> => {
    const gone = new Promise<never>((_, leave) => signal.addEventListener('abort', () => leave(signal.reason)))
    const mine = last.then(() => {
      signal.throwIfAborted()
      return ask()
    })
    const answer = Promise.race([gone, mine])
    last = answer.catch(() => {})
    return answer
  }
}
