import { describe, expect, it, vi } from 'vitest'
import { askAhead } from './askAhead'
import { createBridge } from './bridge'

describe('what is asked ahead', () => {
  it('goes in one envelope, in its order, and is given once', async () => {
    const envelopes: { op: string }[][] = []
    const send = async (text: string): Promise<string> => {
      const { submit } = JSON.parse(text)
      envelopes.push(submit)
      return JSON.stringify({
        done: submit.map(({ id, op }: { id: number; op: string }) => ({ id, ok: `${op} ${id}` })),
      })
    }
    const ask = askAhead(createBridge({ send, secret: 's' }), ['hello', 'functions'])
    expect(await Promise.all([ask('functions', {}), ask('hello', {})])).toEqual(['functions 2', 'hello 1'])
    expect(await ask('functions', {})).toBe('functions 3')
    expect(envelopes.map((submit) => submit.map(({ op }) => op))).toEqual([['hello', 'functions'], ['functions']])
  })

  it('fails where it is wanted', async () => {
    const ask = askAhead(
      vi.fn(async () => Promise.reject(new Error('refused'))),
      ['hello'],
    )
    await new Promise((resolve) => setImmediate(resolve))
    await expect(ask('hello', {})).rejects.toThrow('refused')
  })
})
