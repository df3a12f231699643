import { APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError } from 'ai'

/** What a person can read, and do, when the model could not answer. Go's own sentences go through as they are. */
export const modelErrorText = (error: unknown): string => {
  if (retryLike(error)) return modelErrorText(error.lastError)
  if (APICallError.isInstance(error)) {
    const said = error.message.trim()
    if (error.statusCode === undefined) return unreachable
    return said === '' ? `The model’s server answered with status ${error.statusCode} and no reason. Try again.` : said
  }
  if (error instanceof TypeError && /fetch|load failed|network/i.test(error.message)) return unreachable
  const said = saidIn(error)
  if (said === undefined || isUnreadable(error)) return `The model’s answer could not be read: ${said ?? String(error)}`
  // In the middle of a stream an error is a record of its own; where Go wrote it, it is a sentence.
  return said
}

const unreachable = 'The model could not be reached. Check that the app is still running, then try again.'

/** The message of an error in any of the shapes that providers stream. */
const saidIn = (error: unknown): string | undefined => {
  if (typeof error === 'string') return error.trim() || undefined
  if (typeof error !== 'object' || error === null) return undefined
  const { message, error: inner } = error as { message?: unknown; error?: unknown }
  return typeof message === 'string' && message.trim() !== '' ? message : saidIn(inner)
}

/** Whether the SDK could make nothing of what came. */
const isUnreadable = (error: unknown): boolean =>
  JSONParseError.isInstance(error) ||
  TypeValidationError.isInstance(error) ||
  InvalidResponseDataError.isInstance(error)

/** The AI SDK's error after its last retry. */
const retryLike = (error: unknown): error is { lastError: unknown } =>
  error instanceof Error && error.name === 'AI_RetryError' && 'lastError' in error
