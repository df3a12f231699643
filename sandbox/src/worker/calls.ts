// The calls of the program, from its side: sends each with the one snapshot of
// its input and settles the promise when the page answers.

import { isThrown } from '../shared/guards.js'
import {
  create,
  define,
  freeze,
  hasOwn,
  mapDelete,
  mapEach,
  mapGet,
  mapHas,
  mapSet,
  mapSize,
  NativeError,
  NativeMap,
  NativePromise,
  NativeSet,
  setHas,
  setPrototypeOf,
} from '../shared/intrinsics.js'
import { inputsFactor } from '../shared/limits.js'
import type { Thrown } from '../shared/protocol.js'
import { errorText } from '../shared/text.js'
import { eachError, holdsPending, Refusal, type Snapshot, snapshot, uncloneable } from '../shared/value.js'
import { sendCall } from './channel.js'
import { advance } from './clock.js'
import { position } from './fault.js'
import { type Due, makeKept, type Outcome } from './kept.js'
import { canFire, fires, onExpected } from './order.js'
import { isPending, makePending } from './pending.js'
import { shown } from './shown.js'
import { cut, exceed, pass } from './state.js'

interface Open {
  resolve: (value: unknown) => void
  reject: (reason: unknown) => void
  /** Made at the call site, so that its position is the program's. */
  site: Error
}

const open = new NativeMap<number, Open>()
let calls = 0
let inputs = 0
let settled: () => void

export const openCalls = (): number => mapSize(open)
export const openIds = (): number[] => {
  const ids: number[] = []
  mapEach(open, (_call, id) => define(ids, ids.length, id, true))
  return ids
}
export const onSettled = (listener: () => void): void => {
  settled = listener
}

const natives = create(null) as Record<string, object>
for (const type of [TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError])
  natives[type.name] = type.prototype

/** Turns the call-site error into the one to throw; its position stays the call's. */
export const become = (site: Error, name: string, message: string): Error => {
  const prototype = natives[name]
  if (prototype) setPrototypeOf(site, prototype)
  else define(site, 'name', name)
  // The errors do not come; without a list of them one engine cannot clone it.
  if (name === 'AggregateError') define(site, 'errors', [])
  define(site, 'message', message)
  return site
}

const never = () => {}

/** A promise that a program can wait on for ever: the pass is over. */
export const nothing = (): Promise<never> => new NativePromise<never>(never)

const refused = (site: Error, { text }: Refusal): Error =>
  become(
    site,
    'DataCloneError',
    `${text}. Pass plain data: objects, arrays, strings, numbers, dates, maps, sets, bytes.`,
  )

/**
 * The snapshot of an input, which the caller posts at once. A refusal becomes an error thrown at the call site; a
 * pending value inside cuts the pass.
 */
const take = (value: unknown, label: string, site: Error, most?: number): Snapshot => {
  try {
    return snapshot(value, label, isPending, most, true, shown)
  } catch (error) {
    if (error === holdsPending) cut()
    throw error instanceof Refusal ? refused(site, error) : error
  }
}

const invoke = (fn: string, marked: boolean, input: unknown, given: number): Promise<unknown> => {
  if (pass.over) return nothing()
  const site = new NativeError()
  return new NativePromise((resolve, reject) => {
    if (given > 1) {
      return reject(
        become(
          site,
          'TypeError',
          `sdk.${fn} takes one input value, and was given ${given}. Put them into one object: sdk.${fn}({ … }).`,
        ),
      )
    }
    const label = `sdk.${fn}: input`
    let sent: Snapshot
    try {
      sent = take(input, label, site, pass.limits.inputBytes)
    } catch (error) {
      return pass.over ? undefined : reject(error)
    }
    // A getter of the input may have ended the pass.
    if (pass.over) return
    if (calls >= pass.limits.calls) return exceed('calls', calls + 1)
    if (sent.bytes > pass.limits.inputBytes) return exceed('inputBytes', sent.bytes)
    inputs += sent.bytes
    if (inputs > inputsFactor * pass.limits.inputBytes) return exceed('inputBytes', inputs)
    const id = ++calls
    mapSet(open, id, { resolve, reject, site })
    try {
      sendCall(
        {
          type: 'call',
          id,
          seen: pass.seen,
          fn,
          input: sent.value,
          bytes: sent.bytes,
          line: marked ? position(site).line : 0,
        },
        sent.buffers,
        mapSize(open) > pass.limits.inFlight,
      )
      kept.made()
    } catch {
      // The one thing that posting refuses is what the snapshot lent.
      mapDelete(open, id)
      calls--
      inputs -= sent.bytes
      reject(refused(site, uncloneable(label)))
    }
  })
}

export const clearStack = (error: object): void => {
  define(error, 'stack', errorText(error))
  // JavaScriptCore tells the place beside the stack.
  for (let i = 0; i < places.length; i++)
    if (hasOwn(error, places[i] as string)) define(error, places[i] as string, undefined)
}
const places = ['line', 'column', 'sourceURL', 'fileName', 'lineNumber', 'columnNumber']

const throws = ({ state }: Outcome): boolean => state === 'error' || state === 'rejected'

/** Lets the program have what is due: what a call that is open came to, or what fired. */
const give = (due: Due): void => {
  if (due.type === 'fire') {
    fires(due.id, (id) => kept.keep({ type: 'fire', id }))
    return settled()
  }
  const { id, state, value, errors, at, after } = due
  const call = mapGet(open, id) as Open
  advance(at)
  pass.seen++
  mapDelete(open, id)
  // An Error keeps the stack of where it was made: the page's addresses are not the program's to see.
  if (errors) eachError(value, clearStack)
  if (!throws(due)) call.resolve(state === 'ok' ? value : makePending(cut))
  else {
    const thrown = value as Thrown
    if (thrown.error) {
      become(call.site, thrown.name, thrown.message)
      if (thrown.cause !== null) define(call.site, 'cause', thrown.cause)
      call.reject(call.site)
    } else call.reject(thrown.value)
    if (after) kept.thrown()
  }
  settled()
}
const isDue = (due: Due): boolean =>
  due.type === 'fire' ? canFire(due.id) : calls >= due.after && mapHas(open, due.id)
/** Whether the program has ended where the recorded pass had not. */
export const endsEarly = (): boolean => pass.body && !openCalls() && pass.repeats && !pass.last
const kept = makeKept(isDue, give, endsEarly)
/** Sees to what may have its turn, or never comes. */
export const { check } = kept
onExpected(check)

/**
 * Settles one call as the page says, or lets something fire, or keeps what comes ahead of its turn; false when no
 * such call is open or can still be made, or when what it should throw is nothing to throw.
 */
export const settle = (due: Due): boolean => {
  if (due.type === 'settle') {
    const { id, value, after } = due
    const comes = after >= id && id > calls
    if (!(comes || mapHas(open, id)) || (throws(due) && !isThrown(value))) return false
  }
  if (kept.waits() || !isDue(due)) kept.keep(due)
  else give(due)
  return true
}

/** The frozen tree of functions: own properties only, on nothing. `marked` are those whose calls may wait for a person. */
export const makeTree = (names: string[], marked: string[]): object => {
  const root = create(null)
  const waits = new NativeSet(marked)
  const branches = [root]
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string
    const parts = name.split('.')
    let branch = root
    for (let j = 0; j < parts.length - 1; j++) {
      const part = parts[j] as string
      if (!branch[part]) {
        branch[part] = create(null)
        branches.push(branch[part])
      }
      branch = branch[part]
    }
    const mark = setHas(waits, name)
    const leaf = {
      call(input: unknown) {
        return invoke(name, mark, input, arguments.length)
      },
    }.call
    define(leaf, 'name', name)
    branch[parts[parts.length - 1] as string] = freeze(leaf)
  }
  for (let i = 0; i < branches.length; i++) {
    // Printing the tree must neither call nor throw.
    define(branches[i] as object, Symbol.toPrimitive, () => '[object sdk]')
    freeze(branches[i])
  }
  return root
}
