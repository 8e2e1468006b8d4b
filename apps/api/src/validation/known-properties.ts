import type { FieldError } from '@papermoon/contract/error-data'
import { closestMatch } from 'leven'
import {
  ZodArray,
  ZodCatch,
  ZodDefault,
  ZodNonOptional,
  ZodNullable,
  ZodObject,
  ZodOptional,
  ZodPipe,
  ZodPrefault,
  ZodReadonly,
  ZodUnion,
} from 'zod'
import { BadInputError } from '../errors.ts'
import { createBadInput, listFieldErrors, toFieldError } from './messages.ts'

/** Number of letters per allowed difference between an unknown name and the suggested one. */
const LETTERS_PER_SLIP = 3
const SHOWN_CHARS_MAX = 128
/** Max number of unknown properties for which a similar known name is searched. */
const UNKNOWN_MAX = 20

/**
 * Throws `BadInputError` for properties that the schema does not have, at any depth. Without this check, an order with
 * a misspelt `minTokensOut` would be placed without its limit. The error also names all other invalid fields. The
 * schema is null for a procedure without input.
 */
export function assertKnownProperties(schema: ZodObject | null, input: unknown): void {
  if (schema === null) {
    assertNoInput(input)
    return
  }
  const unknown = getCheck(schema)?.(input, []) ?? []
  if (unknown.length === 0) return
  const { error } = schema.safeParse(input)
  throw createBadInput(unknown, error === undefined ? [] : listFieldErrors(error))
}

/**
 * Creates the error for unknown properties of an object. For each of them, suggests the most similar known name, if
 * there is one.
 */
export function createUnknownPropertyError(names: readonly string[], known: readonly string[]): BadInputError {
  return createBadInput(names.map((name) => describeUnknown([name], known)))
}

function describeUnknown(path: readonly string[], known: readonly string[]): FieldError {
  const full = path.join('.')
  const isShown = /^[\x21-\x7e]+$/.test(full) && full.length <= SHOWN_CHARS_MAX
  const shown = isShown ? full : 'A property of the input'
  const nearest = findNearest(path.at(-1) ?? '', known)
  const { field, pointer } = toFieldError(isShown ? path : [], '')
  const hint = nearest === null ? '.' : `; did you mean ${[...path.slice(0, -1), nearest].join('.')}?`
  return { field, pointer, message: `${shown} is unknown${hint}` }
}

function assertNoInput(input: unknown): void {
  if (input === undefined || input === null) return
  if (!isObject(input)) throw new BadInputError('This call takes no input.')
  const names = Object.keys(input)
  if (names.length > 0) throw createUnknownPropertyError(names.slice(0, UNKNOWN_MAX), [])
}

/**
 * Returns at most `UNKNOWN_MAX` properties that a schema does not have. The schema itself checks everything else in the
 * input.
 */
type Check = (value: unknown, path: readonly string[]) => readonly FieldError[]

const NONE: readonly FieldError[] = []
const checks = new WeakMap<ZodObject, Check | null>()

/** Returns the check for a procedure's input. Each of these checks is created only once. */
function getCheck(schema: ZodObject): Check | null {
  const known = checks.get(schema)
  if (known !== undefined) return known
  const check = createCheck(schema)
  checks.set(schema, check)
  return check
}

/** Returns null for a schema that has no properties at any depth. */
function createCheck(schema: unknown): Check | null {
  const core = unwrapSchema(schema)
  if (core instanceof ZodUnion) return createUnionCheck(core.options.map(unwrapSchema))
  if (core instanceof ZodArray) {
    const check = createCheck(core.element)
    if (check === null) return null
    return (value, path) =>
      Array.isArray(value) ? findAll(value.entries(), (name, element) => check(element, [...path, name])) : NONE
  }
  return core instanceof ZodObject ? createObjectCheck(core) : null
}

function createObjectCheck({ shape }: ZodObject): Check {
  const names = Object.keys(shape)
  const children = new Map(names.map((name) => [name, createCheck(shape[name])]))
  const checkChild = (path: readonly string[], name: string, child: unknown) => {
    const check = children.get(name)
    if (check === undefined) return [describeUnknown([...path, name], names)]
    return check?.(child, [...path, name]) ?? NONE
  }
  return (value, path) => {
    if (!isObject(value)) return NONE
    for (const name in value) {
      if (children.get(name) !== null)
        return findAll(Object.entries(value), (key, child) => checkChild(path, key, child))
    }
    return NONE
  }
}

/**
 * Creates a check for a union. The check uses only those options of the union that match the value's type, array or
 * object.
 */
function createUnionCheck(options: readonly unknown[]): Check | null {
  const all = options.map((option) => ({ option, check: createCheck(option) }))
  if (all.every(({ check }) => check === null)) return null
  return (value, path) => {
    const fitting = all.filter(({ option }) =>
      Array.isArray(value) ? option instanceof ZodArray : option instanceof ZodObject && isObject(value),
    )
    const found = fitting.map(({ check }) => check?.(value, path) ?? NONE)
    return found.every((unknown) => unknown.length > 0) ? (found[0] ?? NONE) : NONE
  }
}

function findAll(
  entries: Iterable<readonly [string | number, unknown]>,
  find: (name: string, child: unknown) => readonly FieldError[],
): FieldError[] {
  const all: FieldError[] = []
  for (const [name, child] of entries) {
    all.push(...find(String(name), child))
    if (all.length >= UNKNOWN_MAX) break
  }
  return all
}

/** Returns the schema inside transforms, defaults and other wrappers. */
export function unwrapSchema(schema: unknown): unknown {
  if (schema instanceof ZodPipe) return unwrapSchema(schema.def.in)
  for (const Wrapper of [ZodOptional, ZodNullable, ZodDefault, ZodPrefault, ZodNonOptional, ZodCatch, ZodReadonly]) {
    if (schema instanceof Wrapper) return unwrapSchema(schema.def.innerType)
  }
  return schema
}

/** Finds the most similar known name. Case, underscores and hyphens make no difference. */
function findNearest(name: string, known: readonly string[]): string | null {
  const byLetters = new Map(known.map((one) => [toLetters(one), one]))
  const letters = toLetters(name)
  const maxDistance = Math.ceil(letters.length / LETTERS_PER_SLIP)
  const nearest = closestMatch(letters, [...byLetters.keys()], { maxDistance })
  return nearest === undefined ? null : (byLetters.get(nearest) ?? null)
}

function toLetters(name: string): string {
  return name.slice(0, SHOWN_CHARS_MAX).toLowerCase().replaceAll(/[_-]/g, '')
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the parameters of a route without a schema. Throws `BadInputError` for unknown parameters. */
export function assertQuery(query: unknown, known: readonly string[] = []): Record<string, unknown> {
  const given = readQuery(query)
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  if (unknown.length > 0) throw createUnknownPropertyError(unknown, known)
  return given
}

/**
 * Returns the query parameters of a request, without those to ignore. Throws `BadInputError` for a repeated parameter.
 */
export function readQuery(query: unknown): Record<string, unknown> {
  const entries = Object.entries(Object(query)).filter(([name]) => !IGNORED.test(name))
  const repeated = entries.filter(([, value]) => Array.isArray(value)).map(([name]) => describeRepeated(name))
  if (repeated.length > 0) throw createBadInput(repeated)
  return Object.fromEntries(entries)
}

/**
 * Matches the names of query parameters to ignore. Such parameters come from link trackers and from clients that bypass
 * caches.
 */
const IGNORED = /^(_|utm_.*)$/

function describeRepeated(name: string): FieldError {
  const isShown = /^[\x21-\x7e]{1,64}$/.test(name)
  return isShown
    ? toFieldError([name], 'is given more than once')
    : toFieldError([], 'A parameter is given more than once.')
}
