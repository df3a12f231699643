import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'

/** Where Go answers model traffic; it holds the keys and the network. */
const modelPath = '/model/v1'

/**
 * The model as the page reaches it: through Go, with the page's secret on each
 * request, so that nothing else in the webview can ask.
 */
export const createModel = (name: string, secret: string, base = document.baseURI, send = fetch): LanguageModel =>
  createOpenAICompatible({
    name: 'countersign',
    baseURL: new URL(modelPath, base).href,
    includeUsage: true,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('X-Countersign-Secret', secret)
      return send(input, { ...init, headers })
    },
  })(name)
