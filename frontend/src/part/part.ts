/** A part of the page that is loaded when it is first needed, so that the first paint does without it. */
export interface Part<T> {
  /** What was loaded; undefined as long as it is not there. */
  get(): T | undefined
  /** Loads it, once. Rejects with a sentence for the person; the next call tries again. */
  load(): Promise<T>
  /** Begins to load it for whoever needs it soon. What fails is told to whoever loads it. */
  expect(): void
}

/** `name` stands in the sentence that says what is missing: “the settings”. */
export const part = <T>(name: string, read: () => Promise<T>): Part<T> => {
  let loaded: T | undefined
  let loading: Promise<T> | undefined
  const load = (): Promise<T> => {
    loading ??= read().then(
      (there) => {
        loaded = there
        return there
      },
      (error: unknown) => {
        loading = undefined
        throw new Error(sentence(name, error), { cause: error })
      },
    )
    return loading
  }
  return {
    get: () => loaded,
    load,
    expect: () => void load().catch(() => {}),
  }
}

const sentence = (name: string, error: unknown): string => {
  const why = error instanceof Error ? error.message : String(error)
  return `The part of the page for ${name} could not be loaded (${why}). Try again; if that does not help, start Countersign again.`
}
