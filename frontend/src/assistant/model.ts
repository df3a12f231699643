import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'

/** Which model answers. `offline`: the recorded one, which needs no network. */
export interface ModelChoice {
  provider: 'offline' | 'anthropic' | 'openai' | 'compatible'
  /** As the provider knows it; of the recorded one, with its scene. */
  name: string
}

/** A model, and who is logged as the author of its programs. */
export interface ChosenModel {
  model: LanguageModel
  name: string
}

/** Where Go answers the traffic of each provider; it holds the keys and the network. */
const paths = {
  offline: '/model/v1',
  anthropic: '/model/anthropic',
  openai: '/model/openai',
  compatible: '/model/compatible',
} as const

/** The SDK wants one. Go takes it off and puts the real one in. */
const noKey = 'kept-by-the-app'

/**
 * The model as the page reaches it: through Go, with the page's secret on each
 * request, so that nothing else in the webview can ask.
 */
export const createModel = (
  { provider, name }: ModelChoice,
  secret: string,
  base = document.baseURI,
  send = fetch,
): ChosenModel => {
  const baseURL = new URL(paths[provider], base).href
  if (provider !== 'offline' && name === '') throw new Error('No model is chosen yet. Choose one in Settings.')
  const withSecret = secretly(secret, base, send)
  switch (provider) {
    case 'anthropic':
      return {
        name: `anthropic/${name}`,
        model: createAnthropic({ baseURL, apiKey: noKey, fetch: withSecret })(name),
      }
    case 'openai':
      return { name: `openai/${name}`, model: createOpenAI({ baseURL, apiKey: noKey, fetch: withSecret })(name) }
    case 'compatible':
    case 'offline':
      return {
        name: provider === 'offline' ? name : `compatible/${name}`,
        model: createOpenAICompatible({ name: 'countersign', baseURL, includeUsage: true, fetch: withSecret })(name),
      }
  }
}

/**
 * Fetches with the page's secret. The webview does not tell Go that a request was
 * given up as long as nothing is written, so that the page says so itself.
 */
const secretly =
  (secret: string, base: string, send: typeof fetch): typeof fetch =>
  (input, init) => {
    const id = crypto.randomUUID()
    const headers = new Headers(init?.headers)
    headers.set('X-Countersign-Secret', secret)
    headers.set('X-Countersign-Request', id)
    init?.signal?.addEventListener('abort', () => {
      const address = new URL(`/model/requests/${id}`, base).href
      // One that is over already has nothing to give up.
      send(address, { method: 'DELETE', headers: { 'X-Countersign-Secret': secret } }).catch(() => {})
    })
    return send(input, { ...init, headers })
  }
