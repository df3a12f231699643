import { describe, expect, it } from 'vitest'
import { toBase64 } from '../value/bytes'
import { decode } from '../value/decode'
import { encode } from '../value/encode'
import type { Tagged } from '../value/tagged'
import { createCarrier } from './carrier'

/** The other end of /bytes/, with the contract's semantics: each id once, under the secret. */
const start = (secret = 's3cret') => {
  const held = new Map<string, Uint8Array>()
  const requests: string[] = []
  const request = (async (path: string, init: RequestInit) => {
    requests.push(`${init.method} ${path}`)
    if (new Headers(init.headers).get('X-Countersign-Secret') !== 's3cret') return new Response('no', { status: 403 })
    if (init.method === 'POST') {
      const id = String(held.size + 1)
      held.set(id, new Uint8Array(init.body as Uint8Array<ArrayBuffer>))
      return Response.json({ id })
    }
    const id = path.slice('/bytes/'.length)
    const bytes = held.get(id)
    held.delete(id)
    return bytes ? new Response(bytes as Uint8Array<ArrayBuffer>) : new Response('gone', { status: 404 })
  }) as typeof fetch
  return { carrier: createCarrier(secret, request), held, requests }
}

const long = Uint8Array.from({ length: 70_000 }, (_, at) => at % 251)

describe('the carrier', () => {
  it('sends long bytes ahead, wherever they stand, and leaves the rest', async () => {
    const { carrier, held } = start()
    const value = {
      a: [long, new Uint8Array([1, 2])],
      map: new Map([['k', long]]),
      file: new File([long], 'x.bin', { lastModified: 7 }),
      text: 'x'.repeat(100_000),
    }
    const tree = await encode(value)
    const sent = await carrier.send(tree)
    expect(held.size).toBe(3)
    expect([...held.values()].every((bytes) => toBase64(bytes) === toBase64(long))).toBe(true)
    expect(JSON.stringify(sent).length).toBeLessThan(101_000)
    await expect(encode(decode(await carrier.receive(sent)))).resolves.toEqual(tree)
    expect(held.size).toBe(0)
  })

  it('gives what has no long bytes back as it is', async () => {
    const { carrier, requests } = start()
    const tree = await encode({ bytes: new Uint8Array(65_536), __proto__: null, n: 1 })
    expect(await carrier.send(tree)).toBe(tree)
    expect(await carrier.receive(tree)).toBe(tree)
    expect(requests).toEqual([])
  })

  it('keeps an own __proto__ key beside long bytes', async () => {
    const { carrier } = start()
    const tree = await encode(JSON.parse('{"__proto__":{"x":1}}', (_, v) => v))
    const outer: Tagged = [tree, { $: 'bytes', t: 'Uint8Array', v: toBase64(long) }]
    const back = (await carrier.receive(await carrier.send(outer))) as unknown[]
    expect(Object.hasOwn(decode(back[0]) as object, '__proto__')).toBe(true)
  })

  it('says why bytes could not be carried', async () => {
    const tree: Tagged = { $: 'bytes', t: 'Uint8Array', v: toBase64(long) }
    await expect(start('wrong').carrier.send(tree)).rejects.toMatchObject({ code: 'Internal' })
    const lost = { $: 'bytes', t: 'Uint8Array', v: { $: 'carried', id: '9' } }
    await expect(start().carrier.receive(lost)).rejects.toThrow('gone')
  })
})
