import { BadInputError } from '../errors.ts'
import { OVERSIZED_JSON } from './bounded-json.ts'

/** Far above what any procedure takes: a larger input is an attempt to cost CPU time. */
export const INPUT_DEPTH_MAX = 8
export const INPUT_VALUES_MAX = 512
export const INPUT_KEY_CHARS_MAX = 64
/** Bounds on superjson's annotations. */
export const PATHS_MAX = 64
export const PATH_CHARS_MAX = 256

/** Property names that lead to prototype pollution when an object is copied. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Marks an input that is not decoded yet. A symbol, which JSON cannot contain; a property rather than a class, since tRPC's
 * WebSocket adapter adds `lastEventId` to a subscription's input by object spread.
 */
const ENCODED = Symbol('encoded input')

/** Wraps a client's raw input in tRPC's transformer: it is decoded only after the call was counted. */
export function toEncodedInput(raw: unknown): object {
  return { [ENCODED]: raw }
}

/**
 * Decodes a call's input as plain, bounded JSON. tRPC inputs come in superjson's envelope; only its `undefined` annotation is
 * accepted, since others let clients construct objects (84 bytes made an array of 200 million numbers). Throws `BadInputError`.
 */
export function decodeInput(given: unknown): unknown {
  const input = isEncoded(given) ? decodeEnvelope(given) : given
  if (input === OVERSIZED_JSON) throw createTooLargeError()
  assertBounded(input)
  return input
}

interface Encoded {
  readonly [ENCODED]: unknown
  readonly lastEventId?: unknown
}

function isEncoded(given: unknown): given is Encoded {
  return typeof given === 'object' && given !== null && Object.hasOwn(given, ENCODED)
}

function decodeEnvelope(encoded: Encoded): unknown {
  const input = openEnvelope(encoded[ENCODED])
  const { lastEventId } = encoded
  if (lastEventId === undefined) return input
  if (input === undefined) return { lastEventId }
  return isObject(input) ? { ...input, lastEventId } : input
}

/** An absent envelope, or one without `json`, means no input. */
function openEnvelope(raw: unknown): unknown {
  if (raw === undefined) return undefined
  if (raw === OVERSIZED_JSON) throw createTooLargeError()
  if (!isObject(raw)) throw unreadable()
  assertOnly(raw, ['json', 'meta'])
  // Before the annotations, whose paths lead through it.
  assertBounded(raw.json)
  if (raw.meta === undefined) return raw.json
  if (!isObject(raw.meta)) throw unreadable()
  assertOnly(raw.meta, ['values', 'v'])
  const { values, v = 0 } = raw.meta
  if (v !== 0 && v !== 1) throw unreadable()
  return values === undefined ? raw.json : withUndefined(raw.json, values)
}

/** Restores `undefined`, which superjson writes as null: `["undefined"]` for the whole, or `{"path": ["undefined"]}`. */
function withUndefined(json: unknown, values: unknown): unknown {
  if (isUndefinedMark(values)) {
    if (json !== null && json !== undefined) throw unreadable()
    return undefined
  }
  if (!isObject(values)) throw notPlain()
  const paths = Object.keys(values)
  if (paths.length > PATHS_MAX) throw createTooLargeError()
  if (!paths.every((path) => isUndefinedMark(values[path]))) throw notPlain()
  for (const path of paths) setUndefined(json, path)
  return json
}

function isUndefinedMark(value: unknown): boolean {
  return Array.isArray(value) && value.length === 1 && value[0] === 'undefined'
}

/** A path is names joined by dots; no property of an input has a dot in its name. */
function setUndefined(json: unknown, path: string): void {
  if (path.length > PATH_CHARS_MAX) throw createTooLargeError()
  const names = path.split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce(getChild, json)
  if (getChild(parent, last) !== null) throw unreadable()
  Reflect.set(Object(parent), last, undefined)
}

/** An own property of an object, or an element of a list. */
function getChild(parent: unknown, name: string): unknown {
  const isThere = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name)
  if (!isThere || FORBIDDEN_KEYS.has(name)) throw unreadable()
  return Reflect.get(parent, name)
}

/** Breadth-first; visits at most `INPUT_VALUES_MAX` values of an input of any size. */
function assertBounded(input: unknown): void {
  let level: unknown[] = [input]
  let count = 1
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      if (depth === INPUT_DEPTH_MAX) throw createTooLargeError()
      const children = getChildren(value, INPUT_VALUES_MAX - count)
      count += children.length
      next.push(...children)
    }
    level = next
  }
}

function getChildren(value: object, most: number): readonly unknown[] {
  if (Array.isArray(value)) {
    if (value.length > most) throw createTooLargeError()
    return value
  }
  const children: unknown[] = []
  for (const name in value) {
    if (name.length > INPUT_KEY_CHARS_MAX || children.length === most) throw createTooLargeError()
    if (FORBIDDEN_KEYS.has(name)) throw unreadable()
    children.push(Reflect.get(value, name))
  }
  return children
}

function assertOnly(value: object, names: readonly string[]): void {
  for (const name in value) {
    if (name === 'referentialEqualities') throw notPlain()
    if (!names.includes(name)) throw new BadInputError('The input must be sent as {"json": …}.')
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const unreadable = () => new BadInputError('The input cannot be read.')
export const createTooLargeError = () => new BadInputError('The input has too many or too deep parts.')
const notPlain = () => new BadInputError('The input must be plain JSON: the only annotation accepted is "undefined".')
