// The worker of one pass: hardens its realm, says so, takes one program, runs
// it, and ends when the body and every call it made have settled.

import { apply, define, promiseThen, uncurry } from '../shared/intrinsics.js'
import type { ToWorker } from '../shared/protocol.js'
import { eachError, holdsPending, Refusal, type Snapshot, snapshot } from '../shared/value.js'
import { check, clearStack, endsEarly, makeTree, onSettled, openCalls, openIds, settle } from './calls.js'
import { onRecord, onStray, send } from './channel.js'
import { startClock } from './clock.js'
import { log, makeConsole } from './console.js'
import { compile } from './evaluate.js'
import { describe, noteProgram } from './fault.js'
import { isPending } from './pending.js'
import { digested, harden } from './realm.js'
import { shown } from './shown.js'
import { exceed, pass } from './state.js'
import { watchTimers } from './timers.js'

const timer = uncurry(setTimeout as (this: unknown, act: () => void, ms: number) => number)
let started = false
let ends = 0

const endWhenSettled = () => {
  if (!pass.body || openCalls() || pass.over) return
  if (endsEarly()) return check()
  // Engines report a rejection that nobody handled some tasks later; by the second timer all have. What
  // settles meanwhile begins anew. (Pings over a port are no sooner: in WebKit each waits for the page's thread.)
  const mine = ++ends
  const end = () => {
    if (mine !== ends || openCalls() || pass.over) return
    pass.over = true
    send({ type: 'end', seen: pass.seen })
  }
  timer(undefined, () => timer(undefined, end, 0), 0)
}

const bodyFailed = (thrown: unknown, compiling = false) => {
  pass.body = true
  send({ type: 'body', ok: false, value: describe(thrown, compiling), bytes: 0, open: openIds() })
  endWhenSettled()
}

const bodyReturned = (value: unknown) => {
  if (pass.over) return
  let result: Snapshot
  try {
    result = snapshot(value, 'the returned value', isPending, pass.limits.outputBytes, false, shown)
  } catch (error) {
    if (pass.over) return
    // The result of a call that waits may be returned: the pass is pending anyway.
    if (error !== holdsPending)
      return bodyFailed(error instanceof Refusal ? { __proto__: dataCloneError, message: error.text } : error)
    result = { value: undefined, bytes: 0, errors: false, buffers: [] }
  }
  if (result.bytes > pass.limits.outputBytes) return exceed('outputBytes', result.bytes)
  pass.body = true
  send({ type: 'body', ok: true, value: result.value, bytes: result.bytes, open: openIds() }, result.buffers)
  endWhenSettled()
}
const dataCloneError = Object.create(Error.prototype, { name: { value: 'DataCloneError' } })

const start = (record: Extract<ToWorker, { type: 'start' }>) => {
  pass.limits = record.limits
  startClock(record.seeds)
  pass.repeats = record.repeats
  const show = (name: string, value: unknown) => define(globalThis, name, value, true)
  show('sdk', makeTree(record.names, record.marked))
  show('console', makeConsole())
  if (record.given) {
    eachError(record.input, clearStack)
    show('input', record.input)
  }
  let body: Promise<unknown>
  noteProgram(record.code)
  try {
    body = apply(compile(record.code), undefined, []) as Promise<unknown>
  } catch (error) {
    return bodyFailed(error, true)
  }
  // `then` would look for a constructor that the program may have patched.
  define(body, 'constructor', undefined)
  promiseThen(body, bodyReturned, (thrown) => {
    if (!pass.over) bodyFailed(thrown)
  })
}

onSettled(endWhenSettled)
const stray = (what: string, thrown: unknown) => {
  if (!started || pass.over) return
  const { name, message, line } = describe(thrown)
  log('error', `${what}: ${name}: ${message}${line ? ` (line ${line})` : ''}`)
}
onStray(stray)
onRecord((record) => {
  if (record.type === 'start') {
    if (started) return false
    started = true
    start(record)
    return true
  }
  // What comes when the pass is over was on its way.
  if (pass.over) return true
  return started && (record.type === 'digested' ? digested(record) : settle(record))
})
const left = harden()
watchTimers((thrown) => stray('Uncaught', thrown))
send({ type: 'up', left })
