import { BadInputError } from '../errors.ts'

/**
 * The result of parsing JSON that exceeds the limits. This result is not an error, because a call must be counted
 * before `assertPlainInput` rejects its input.
 */
export const OVERSIZED_JSON = Symbol('JSON with too many or too deep parts')

/** Max depth of JSON. No valid input is nested more deeply, even in an envelope inside a batch. */
export const JSON_DEPTH_MAX = 16

/**
 * Max number of elements and properties in a JSON text. This number allows two full inputs, or fifty parts in each call
 * of a batch.
 */
export const JSON_PARTS_MAX = 1_024

/** Max length in characters of JSON texts that need no check. */
const HARMLESS_CHARS = 512

const QUOTE = 0x22

const COMMA = 0x2c

const BACKSLASH = 0x5c

/** Returns whether the character is `[` or `{`. */
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b

/** Returns whether the character is `]` or `}`. */
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d

/** Limits for inputs. No procedure needs nearly as much as these limits allow. */
export const INPUT_DEPTH_MAX = 8

export const INPUT_VALUES_MAX = 512

export const INPUT_KEY_CHARS_MAX = 64

/** Limits for the annotations of superjson. */
export const PATHS_MAX = 64

export const PATH_CHARS_MAX = 256

/** Names of properties that could change an object's prototype when it is copied (prototype pollution). */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Throws `BadInputError` unless a call's input is plain JSON within the limits. */
export function assertPlainInput(input: unknown): void {
  if (input === OVERSIZED_JSON) throw createTooLargeError()
  assertBounded(input)
}

/**
 * Returns the input of a call over tRPC, which is plain JSON. Clients up to 0.2.0 send it in superjson's envelope. In
 * an envelope, only the annotation `undefined` is accepted, because other annotations construct objects. With one such
 * annotation, 84 bytes created an array of 200 million numbers. Throws `BadInputError`.
 */
export function openEnvelope(raw: unknown): unknown {
  if (!isEnvelope(raw)) return raw
  const { json, meta, lastEventId } = raw
  // Check the JSON before the annotations, because their paths lead through the JSON.
  assertPlainInput(json)
  const input = meta === undefined ? json : withUndefined(json, meta)
  // tRPC's socket adds `lastEventId` to the input of every subscription, even if it is not an object.
  return lastEventId === undefined ? input : { ...Object(input), lastEventId }
}

interface Envelope {
  readonly json: unknown
  readonly meta?: unknown
  readonly lastEventId?: unknown
}

/** Returns whether an input is an envelope. No procedure has an input with a property `json`. */
function isEnvelope(raw: unknown): raw is Envelope {
  return isObject(raw) && Object.hasOwn(raw, 'json') && hasOnly(raw, ['json', 'meta', 'lastEventId'])
}

/**
 * Restores `undefined`, which superjson writes as null. The annotation is `["undefined"]` for the whole value, or
 * `{"path": ["undefined"]}` for a part.
 */
function withUndefined(json: unknown, meta: unknown): unknown {
  if (!isObject(meta)) throw unreadable()
  const { values = {}, v = 0 } = meta
  if (!hasOnly(meta, ['values', 'v'])) throw notPlain()
  if (v !== 0 && v !== 1) throw unreadable()
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

/**
 * Sets the value at a path to undefined. A path consists of names joined by dots, because no input property has a dot
 * in its name.
 */
function setUndefined(json: unknown, path: string): void {
  if (path.length > PATH_CHARS_MAX) throw createTooLargeError()
  const names = path.split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce(getChild, json)
  if (getChild(parent, last) !== null) throw unreadable()
  Reflect.set(Object(parent), last, undefined)
}

/** Returns an own property of an object, or an element of a list. */
function getChild(parent: unknown, name: string): unknown {
  const isThere = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name)
  if (!isThere || FORBIDDEN_KEYS.has(name)) throw unreadable()
  return Reflect.get(parent, name)
}

/** Checks the limits level by level. Visits at most `INPUT_VALUES_MAX` values, even in a large input. */
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

function hasOnly(value: object, names: readonly string[]): boolean {
  for (const name in value) if (!names.includes(name)) return false
  return true
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const unreadable = () => new BadInputError('Could not read the input.')

export const createTooLargeError = () => new BadInputError('The input has too many parts or is nested too deeply.')

const notPlain = () => new BadInputError('The input must be plain JSON: the only annotation accepted is "undefined".')

/**
 * Parses JSON, unless the text has too many brackets and commas. Parsing 15,000 nested lists takes a thousand times as
 * long as counting the brackets. Throws `SyntaxError`.
 */
export function parseBoundedJson(text: string): unknown {
  return isOversized(text) ? OVERSIZED_JSON : JSON.parse(text)
}

function isOversized(text: string): boolean {
  if (text.length <= HARMLESS_CHARS) return false
  let depth = 0
  let parts = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = findStringEnd(text, at)
      // The string does not end, so the text is not JSON.
      if (at === -1) return false
    } else if (code === COMMA) {
      if (++parts >= JSON_PARTS_MAX) return true
    } else if (isOpening(code)) {
      if (++depth > JSON_DEPTH_MAX) return true
    } else if (isClosing(code)) depth--
  }
  return false
}

/** Returns the index of the quote that closes the string opened at `start`; -1 if there is none. */
function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** Returns whether an odd number of backslashes comes before this position. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}
