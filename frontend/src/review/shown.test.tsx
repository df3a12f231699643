// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { LongText } from './LongText'
import * as shapes from './shapes'

const turned = 'three\u202ehidden'
const shown = 'three\\u{202E}hidden'

const row = {
  id: 1,
  at: '',
  runId: turned,
  callId: '',
  seq: 1,
  fn: turned,
  model: turned,
  input: turned,
  request: `a\n${turned}`,
  decisionWords: turned,
  reason: turned,
  outcome: 'ok',
  outcomeWords: turned,
  message: turned,
  noted: false,
  runOpen: false,
  hits: [{ part: 'input', pieces: [{ text: turned, hit: true }] }],
}

afterEach(cleanup)

describe('stored text in the log’s place', () => {
  it('comes in as the card shows it, but for what is asked with', () => {
    const read = shapes.row.parse(row)
    for (const text of [
      read.fn,
      read.model,
      read.input,
      read.decisionWords,
      read.reason,
      read.outcomeWords,
      read.message,
    ])
      expect(text).toBe(shown)
    expect(read.request).toBe(`a ${shown}`)
    expect(read.hits?.[0]?.pieces[0]?.text).toBe(shown)
    expect(read.runId).toBe(turned)
  })

  it('is escaped in full texts too, with a warning, and copied as it is', () => {
    const { container } = render(<LongText title="Input" text={`{\n  "text": "${turned}"\n}`} none="" />)
    expect(container.querySelector('pre')?.textContent).toBe(`{\n  "text": "${shown}"\n}`)
    expect(container.querySelector('.review-odd')?.textContent).toContain('change the direction of text')
  })

  it('has no warning where there is nothing to warn of', () => {
    const { container } = render(<LongText title="Input" text="Grüße" none="" />)
    expect(container.querySelector('.review-odd')).toBeNull()
  })
})
