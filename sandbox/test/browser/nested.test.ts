// How deep a value may be nested, and what is behind getters and in Errors: the
// same in every engine, whatever its clone would do.
import { assert } from 'chai'
import { makeHost } from '../fixture/host.js'
import { errorOf, explain, held, resume, returned, run, shared } from '../fixture/sandbox.js'

const most = 1_000

/** What is nested by each of these takes the most room on some engine's stack. */
const SHAPES = [
  '[a]',
  '({ a })',
  '(() => { const list = []; list.k = a; return list })()',
  'new Map([[1, a]])',
  'new Map([[a, 1]])',
  'new Set([a])',
  'new Error("e", { cause: a })',
]

const program = (shape: string, depth: number) => `let a = 1; for (let i = 0; i < ${depth}; i++) a = ${shape};`
const nested = (shape: string, depth: number): unknown => new Function(`${program(shape, depth)} return a`)()
const tooDeep = /is nested more than 1000 deep/

describe('how deep a value may be nested', () => {
  for (const shape of SHAPES) {
    it(`${shape}, ${most} deep, crosses every way there is`, async () => {
      const host = makeHost({
        gives: () => nested(shape, most),
        throws: () => {
          throw nested(shape, most)
        },
      })
      const code = `
        ${program(shape, most)}
        await sdk.echo(a)
        await sdk.gives()
        await sdk.throws().catch(() => 1)
        return typeof input === 'object' && structuredClone(a)`
      const { result } = await run(code, { host, input: nested(shape, most) })
      assert.equal(result.status, 'ok', explain(result))
      assert.typeOf(result.value, Object.prototype.toString.call(nested(shape, 1)).slice(8, -1))
      assert.deepEqual(
        result.calls.map(({ fn, state }) => `${fn} ${state}`),
        ['echo ok', 'gives ok', 'throws error'],
      )
    })

    it(`${shape}, one deeper, is refused where it would cross, and the run goes on`, async () => {
      const host = makeHost({
        'deep.gives': () => nested(shape, most + 1),
        'deep.throws': () => {
          throw shape.includes('Error') ? [nested(shape, most)] : nested(shape, most + 1)
        },
      })
      const code = `
        ${program(shape, most + 1)}
        const why = []
        for (const act of [() => sdk.echo(a), () => sdk.deep.gives(), () => sdk.deep.throws()])
          await act().then(() => why.push('crossed'), (e) => why.push(e.name + ': ' + e.message))
        return why`
      const why = (await returned(code, { host })) as string[]
      assert.match(why[0] ?? '', /^DataCloneError: sdk\.echo: input is nested more than 1000 deep/)
      assert.match(why[1] ?? '', /^DataCloneError: what deep\.gives returned is nested more than 1000 deep/)
      assert.match(why[2] ?? '', /^DataCloneError: what deep\.throws threw is nested more than 1000 deep/)

      const error = await errorOf(`${program(shape, most + 1)} return a`)
      assert.match(error.message, /the returned value is nested more than 1000 deep/)
    })
  }

  for (const depth of [1_001, 1_150, 1_300, 2_000, 3_000, 20_000]) {
    it(`an input of a run that is ${depth} deep is the caller’s mistake, told at once`, async () => {
      try {
        await run('return 1', { input: nested('[a]', depth) })
        assert.fail('it was taken')
      } catch (error) {
        assert.instanceOf(error, TypeError)
        assert.match(error.message, /input is nested more than 1000 deep/)
      }
    })

    it(`what is ${depth} deep is lost nowhere: each crossing says so at once`, async () => {
      const host = makeHost({ gives: () => nested('[a]', depth) })
      const deep = program('[a]', depth)
      for (const code of [`${deep} await sdk.echo(a)`, 'await sdk.gives()', `${deep} return a`])
        assert.match((await errorOf(code, { host })).message, tooDeep)
    })
  }

  it('what an approved call gives that is too deep rejects at its call site, and the call has run', async () => {
    let burnt = 0
    const host = makeHost({ 'notes.burn': { call: () => ++burnt && nested('[a]', 1_300), approval: true } })
    const { result } = await held(
      'const a = await sdk.notes.burn(1); try { return await a.x } catch (e) { return e.message }',
      { host },
    )
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.status, 'error', explain(end))
    assert.match(end.error?.message ?? '', /what notes\.burn returned is nested more than 1000 deep/)
    assert.equal(end.calls[0]?.state, 'error')
    assert.equal(burnt, 1)
  })

  it('a marked input as deep as may be is shown, repeated and executed', async () => {
    const { result, host } = await held(`${program('[a]', most)} await sdk.notes.remove(a); return 1`)
    const end = await resume(result, { all: 'approve' })
    assert.equal(end.value, 1, explain(end))
    assert.deepEqual(host.ran(), ['notes.remove'])
  })

  it('what is reached by a short way first in an engine counts as deep as it goes there', async () => {
    // Behind the end of the chain, which is short, comes the chain: every engine begins with it.
    const code = `
      const chain = [[1]]
      for (let i = 0; i < 2000; i++) chain.push([chain[chain.length - 1]])
      const ways = new Map(chain.map((link, i) => [chain.length - i, chain[chain.length - 1 - i]]))
      try { await sdk.echo(ways) } catch (e) { return e.message }`
    assert.match(String(await returned(code)), tooDeep)
    const short = code.replace('chain.length - 1 - i', 'i')
    assert.isUndefined(await returned(short))
  })

  it('structuredClone in the program takes what the engine takes', async () => {
    assert.equal(
      await returned(
        `${program('[a]', 1_000)} let n = 0; for (let b = structuredClone(a); b[0]; b = b[0]) n++; return n`,
      ),
      1_000,
    )
  })
})

describe('what is behind getters', () => {
  it('is read once each, in the order of a clone, as input, by structuredClone and as the returned value', async () => {
    const code = (take: string) => `
      const reads = []
      const get = (name, value) => ({ get [name]() { reads.push(name); return value } })
      const value = [get('a', get('b', 1)), new Map([[get('c', 2), get('d', 3)]]), new Set([get('e', 4)]), get('f', 5)]
      Object.defineProperty(value, '5', { enumerable: true, get() { reads.push('5'); return value } })
      await sdk.echo(0)
      const b = ${take}
      const [[key, item]] = b[1]
      return [reads.join(''), b[0].a.b, key.c, item.d, [...b[2]][0].e, b[3].f, 4 in b, b[5] === b, b.length]`
    const right = ['abcdef5', 1, 2, 3, 4, 5, false, true, 6]
    assert.deepEqual(await returned(code('await sdk.echo(value)')), right)
    assert.deepEqual(await returned(code('structuredClone(value)')), right)
    const { result } = await run(
      'let n = 0; return { get a() { return ++n }, get b() { return [++n, { get c() { return ++n } }] } }',
    )
    assert.deepEqual(result.value, { a: 1, b: [2, { c: 3 }] }, explain(result))
  })

  it('what a getter throws comes out as it is', async () => {
    const code = (take: string) => `
      try { await ${take}({ a: { get b() { throw new RangeError('mine') } } }) } catch (e) { return e.name + ': ' + e.message }`
    for (const take of ['sdk.echo', 'structuredClone']) assert.equal(await returned(code(take)), 'RangeError: mine')
  })

  it('what does not cross is named by its path', async () => {
    const error = await errorOf('await sdk.echo({ get a() { return [{ get b() { return () => 1 } }] } })')
    assert.match(error.message, /input\.a\[0\]\.b is a function/)
  })

  it('an endless value is too deep', async () => {
    const error = await errorOf('const deep = () => ({ get next() { return deep() } }); await sdk.echo(deep())')
    assert.match(error.message, tooDeep)
  })

  for (const [where, value] of [
    ['behind a getter', '{ get a() { return p } }'],
    ['behind a getter behind a getter', '[{ get a() { return { get b() { return p } } } }]'],
    ['behind a getter in a Map', 'new Map([[1, { get a() { return [p] } }]])'],
    ['in the cause of an Error', 'new Error("e", { cause: { p } })'],
    ['behind a getter in the cause of an Error', '[new Error("e", { cause: { get p() { return p } } })]'],
    ['among the errors of an AggregateError', 'new AggregateError([{ p }], "e")'],
  ] as const) {
    for (const take of ['sdk.echo', 'structuredClone']) {
      it(`a pending value ${where}, given to ${take}, cuts the pass (F05)`, async () => {
        const { rows, result, host } = await held(`
          const p = await sdk.notes.remove({ id: 1 })
          try { await ${take}(${value}) } catch (e) { console.log(e.name) }
          await sdk.echo('after')
          return 1`)
        assert.deepEqual(
          rows.map((row) => row.input),
          [{ id: 1 }],
        )
        assert.deepEqual(result.logs, [])
        assert.deepEqual(host.ran(), [])
      })
    }

    it(`a pending value ${where} may be returned (SPEC §4)`, async () => {
      const { rows } = await held(
        `const p = await sdk.notes.remove({ id: 1 }); return ${value.startsWith('{') ? `(${value})` : value}`,
      )
      assert.lengthOf(rows, 1)
    })
  }

  it('a pending value in an instance of a class, given to structuredClone, cuts the pass (F05)', async () => {
    const { rows, result } = await held(`
      const p = await sdk.notes.remove({ id: 1 })
      class Holder { held = p }
      try { structuredClone([new Holder()]) } catch (e) { console.log(e.name) }
      return 1`)
    assert.lengthOf(rows, 1)
    assert.deepEqual(result.logs, [])
  })

  it('structuredClone copies an instance of a class, with its getters, and transfers, as plain JavaScript does', async () => {
    const code = `
      class Point { x = 1 }
      const point = structuredClone({ at: new Point(), get y() { return 2 } })
      const bytes = new Uint8Array([7]).buffer
      const moved = structuredClone({ bytes, get z() { return 3 } }, { transfer: [bytes] })
      let name
      try { structuredClone({ f() {}, get z() { return 3 } }) } catch (e) { name = e.name }
      return [point.at.x, point.y, new Uint8Array(moved.bytes)[0], moved.z, bytes.byteLength, name]`
    assert.deepEqual(await returned(code), [1, 2, 7, 3, 0, 'DataCloneError'])
  })

  it('what a getter of a host’s value throws rejects at the call site with the function’s name (SPEC §8)', async () => {
    const host = makeHost({
      'bad.gives': () => ({
        get a() {
          throw new RangeError('mine')
        },
      }),
      'bad.throws': () => {
        throw {
          get a() {
            throw Object.create(null)
          },
        }
      },
    })
    const code = `
      const why = []
      for (const act of [sdk.bad.gives, sdk.bad.throws]) try { await act() } catch (e) { why.push(e.name + ': ' + e.message) }
      return why`
    const [gives = '', throws = ''] = (await returned(code, { host })) as string[]
    assert.equal(gives, 'DataCloneError: what bad.gives returned cannot be read: RangeError: mine')
    assert.match(throws, /^DataCloneError: what bad\.throws threw cannot be read/)
  })
})

describe('Errors that hold others', () => {
  const gone = { 'host.fails': () => Promise.any([Promise.reject(new Error('one'))]) }

  it('an AggregateError that a function throws is one, and crosses further', async () => {
    const code = `
      const e = await sdk.host.fails().catch((e) => e)
      const back = await sdk.echo(e)
      return [e.name, e instanceof Error, e instanceof AggregateError, Array.isArray(e.errors), e.message === '', back.message === e.message, structuredClone(e).message === e.message, e]`
    const value = (await returned(code, {
      host: makeHost({
        'host.fails': () => {
          throw new AggregateError([new Error('one')], 'all of them')
        },
      }),
    })) as unknown[]
    assert.deepEqual(value.slice(0, 7), ['AggregateError', true, true, true, false, true, true])
    assert.equal((value[7] as Error).message, 'all of them')
    assert.equal(
      (await run('return await sdk.host.fails().catch((e) => e)', { host: makeHost(gone) })).result.status,
      'ok',
    )
  })

  it('an Error that a program gives that name crosses every way, and keeps its message', async () => {
    const code = `
      const e = Object.assign(new Error('mine'), { name: 'AggregateError' })
      const deep = [e, new Error('outer', { cause: e })]
      const back = await sdk.echo(deep)
      return [back[0].message, back[1].message, structuredClone(e).message, e]`
    const value = (await returned(code)) as unknown[]
    assert.deepEqual(value.slice(0, 3), ['mine', 'outer', 'mine'])
    assert.equal((value[3] as Error).message, 'mine')
  })

  for (const name of [
    'InternalError',
    'SuppressedError',
    'DOMException',
    'EvalError',
    'Mine',
    '',
    '__proto__',
    'constructor',
  ])
    it(`an Error named “${name}” that a function throws keeps name and message, and crosses further`, async () => {
      const host = makeHost({
        'host.fails': () => {
          throw Object.assign(new Error('why'), { name })
        },
      })
      const code = `const e = await sdk.host.fails().catch((e) => e); return [e.name, e.message, (await sdk.echo(e)).message, structuredClone([e])[0].message]`
      assert.deepEqual(await returned(code, { host }), [name || 'Error', 'why', 'why', 'why'])
    })

  it('what an Error holds counts as sent', async () => {
    const { result } = await run(`await sdk.echo(new Error('e', { cause: 'x'.repeat(2e6) }))`)
    assert.equal(result.error?.limit, 'inputBytes', explain(result))
  })

  it('the cause of an Error that a function returns has no stack of the page', async () => {
    const host = makeHost({ gives: () => [new Error('outer', { cause: new TypeError('inner') })] })
    const stack = String(
      await returned(
        'const [e] = await sdk.gives(); return String(e.stack) + String(e.cause.stack) + String(e.cause.fileName) + String(e.cause.sourceURL)',
        { host },
      ),
    )
    assert.notInclude(stack, location.origin)
  })
})

after(() => shared.dispose())
