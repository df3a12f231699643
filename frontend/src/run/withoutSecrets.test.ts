import { expect, it } from 'vitest'
import { newRunView } from './runView'
import { withoutSecrets } from './withoutSecrets'

const definition = {
  name: 'mail.login',
  title: '',
  description: '',
  approval: 'always' as const,
  input: {
    type: 'object',
    properties: {
      user: { type: 'string' },
      password: { type: 'string', writeOnly: true },
      more: { type: 'array', items: { properties: { token: { writeOnly: true } } } },
    },
  },
  output: { properties: { session: { writeOnly: true } } },
}

it('keeps nothing that a function calls secret, and everything else', () => {
  const input = { user: 'ada', password: 'p4ss', more: [{ token: 't', at: 1 }] }
  const at = new Date(0)
  const call = {
    callId: 'c',
    seq: 1,
    fn: 'mail.login',
    input,
    standing: 'ok' as const,
    at: 1,
    value: { session: 's', at },
  }
  const other = { ...call, callId: 'd', fn: 'other.call' }
  const view = { ...newRunView('login'), calls: [call, other] }
  const kept = withoutSecrets(view, [definition])
  const secret = '(secret: not kept)'
  expect(kept.calls[0]).toEqual({
    ...call,
    input: { user: 'ada', password: secret, more: [{ token: secret, at: 1 }] },
    value: { session: secret, at },
  })
  expect(kept.calls[1]).toEqual(other)
  expect(view.calls[0]?.input).toBe(input)
})
