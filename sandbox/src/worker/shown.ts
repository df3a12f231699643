// What a value shows where it has getters: a copy in which none is left, so that what is behind one is seen like
// anything else, and is what crosses.

import {
  define,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  keys,
  mapEach,
  mapGet,
  mapHas,
  mapSet,
  NativeError,
  NativeMap,
  NativeSet,
  setAdd,
  setEach,
  setPrototypeOf,
} from '../shared/intrinsics.js'
import { kindOf } from '../shared/kind.js'
import { deepest } from '../shared/limits.js'
import { lacksList, tooDeep } from '../shared/value.js'

/** What an engine reads of an Error. */
const parts = ['name', 'message', 'stack', 'cause', 'errors']

/**
 * The data that a value shows. Each getter is read once, in the order in which an engine's clone reads them, and
 * nothing is read that it would not read. What holds no others stays as it is; a proxy beside a getter is what it shows.
 * Throws what a getter threw, or a Refusal of what is nested more than `most` deep.
 */
export const shown = (root: unknown, label: string, most = deepest): unknown => {
  const done = new NativeMap<unknown, unknown>()
  const visit = (value: unknown, depth: number): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (mapHas(done, value)) return mapGet(done, value)
    if (depth > most) throw tooDeep(label)
    const inside = (item: unknown) => visit(item, depth + 1)
    // The items as they are before the first getter runs.
    const items: unknown[] = []
    const note = (item: unknown) => define(items, items.length, item)
    const kind = kindOf(value)
    let copy: object = value
    const keep = (made: object) => {
      copy = made
      mapSet(done, value, made)
    }
    if (kind === 'array' || kind === 'plain') {
      keep(kind === 'array' ? [] : {})
      if (kind === 'array') (copy as unknown[]).length = (value as unknown[]).length
      const names = keys(value)
      for (let i = 0; i < names.length; i++) {
        const name = names[i] as string
        // A getter before it may have taken it away.
        if (hasOwn(value, name)) define(copy, name, inside((value as Record<string, unknown>)[name]), true)
      }
    } else if (kind === 'map') {
      keep(new NativeMap())
      mapEach(value as Map<unknown, unknown>, (item, key) => {
        note(key)
        note(item)
      })
      for (let i = 0; i < items.length; i += 2)
        mapSet(copy as Map<unknown, unknown>, inside(items[i]), inside(items[i + 1]))
    } else if (kind === 'set') {
      keep(new NativeSet())
      setEach(value as Set<unknown>, note)
      for (let i = 0; i < items.length; i++) setAdd(copy as Set<unknown>, inside(items[i]))
    } else if (kind === 'error' && (lacksList(value) || hasOwn(value, 'cause') || hasOwn(value, 'errors'))) {
      keep(setPrototypeOf(new NativeError(), getPrototypeOf(value)))
      for (let i = 0; i < parts.length; i++) {
        const part = getOwnPropertyDescriptor(value, parts[i] as string)
        if (part) define(copy, parts[i] as string, inside(part.value))
      }
      // Where a getter gives the list it is left out: no engine but one sends it.
      if (lacksList(copy)) define(copy, 'errors', [])
    }
    return copy
  }
  return visit(root, 1)
}
