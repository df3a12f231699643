import { APICallError } from 'ai'

/** What a person can read, and do, when the model could not answer. */
export const modelErrorText = (error: unknown): string => {
  if (RetryLike(error)) return modelErrorText(error.lastError)
  if (APICallError.isInstance(error)) {
    const said = error.message.trim()
    switch (error.statusCode) {
      case undefined:
        return 'The model could not be reached. Check that the app is still running, then try again.'
      case 401:
      case 403:
        return `The app refused to pass this on to the model: ${said}. Restart the app if it goes on.`
      case 429:
        return `The model has too much to do right now: ${said}. Wait a moment, then try again.`
      default:
        return error.statusCode >= 500
          ? `The model’s server failed (${error.statusCode}): ${said}. Try again.`
          : `The model refused the request (${error.statusCode}): ${said}`
    }
  }
  if (error instanceof TypeError && /fetch|load failed|network/i.test(error.message)) {
    return 'The model could not be reached. Check that the app is still running, then try again.'
  }
  const said = error instanceof Error ? error.message : String(error)
  return `The model’s answer could not be read: ${said}`
}

/** The AI SDK's error after its last retry. */
const RetryLike = (error: unknown): error is { lastError: unknown } =>
  error instanceof Error && error.name === 'AI_RetryError' && 'lastError' in error
