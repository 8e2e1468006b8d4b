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

/** A name is suggested if at most one in so many letters differs. */
const LETTERS_PER_SLIP = 3
const SHOWN_CHARS_MAX = 128

/**
 * Throws `BadInputError` for a property that the schema does not have, at any depth: with a misspelt `minTokensOut`, an
 * order would be placed without its limit. A null schema is that of a procedure without input.
 */
export function assertKnownProperties(schema: ZodObject | null, input: unknown): void {
  if (schema === null) {
    assertNoInput(input)
    return
  }
  const unknown = findUnknown(schema, input, [])
  if (unknown !== null) throw createUnknownPropertyError(unknown.path, unknown.known)
}

/** The error for an unknown property, with the closest known name if one is close enough. */
export function createUnknownPropertyError(path: readonly string[], known: readonly string[]): BadInputError {
  const full = path.join('.')
  const shown = /^[\x21-\x7e]+$/.test(full) && full.length <= SHOWN_CHARS_MAX ? full : 'A property of the input'
  const nearest = findNearest(path.at(-1) ?? '', known)
  if (nearest === null) return new BadInputError(`${shown} is not known here.`)
  return new BadInputError(`${shown} is not known here; did you mean ${[...path.slice(0, -1), nearest].join('.')}?`)
}

function assertNoInput(input: unknown): void {
  if (input === undefined || input === null) return
  if (!isObject(input)) throw new BadInputError('The input must be left out.')
  const [name] = Object.keys(input)
  if (name !== undefined) throw createUnknownPropertyError([name], [])
}

interface Unknown {
  readonly path: readonly string[]
  /** The known names at this place. */
  readonly known: readonly string[]
}

/** The first property that the schema does not have. The schema itself validates everything else. */
function findUnknown(schema: unknown, value: unknown, path: readonly string[]): Unknown | null {
  const core = unwrapSchema(schema)
  if (core instanceof ZodUnion) return findUnknownToAll(core.options.map(unwrapSchema), value, path)
  if (core instanceof ZodArray && Array.isArray(value)) {
    return findFirst(value.entries(), (name, element) => findUnknown(core.element, element, [...path, name]))
  }
  if (!(core instanceof ZodObject && isObject(value))) return null
  const { shape } = core
  return findFirst(Object.entries(value), (name, child) =>
    Object.hasOwn(shape, name)
      ? findUnknown(shape[name], child, [...path, name])
      : { path: [...path, name], known: Object.keys(shape) },
  )
}

/** Considers only the options of a union that match the value's type: array or object. */
function findUnknownToAll(options: readonly unknown[], value: unknown, path: readonly string[]): Unknown | null {
  const fitting = options.filter((option) =>
    Array.isArray(value) ? option instanceof ZodArray : option instanceof ZodObject && isObject(value),
  )
  const found = fitting.map((option) => findUnknown(option, value, path))
  return found.every((unknown) => unknown !== null) ? (found[0] ?? null) : null
}

function findFirst(
  entries: Iterable<readonly [string | number, unknown]>,
  find: (name: string, child: unknown) => Unknown | null,
): Unknown | null {
  for (const [name, child] of entries) {
    const unknown = find(String(name), child)
    if (unknown !== null) return unknown
  }
  return null
}

/** The schema without transforms, defaults and other wrappers. */
export function unwrapSchema(schema: unknown): unknown {
  if (schema instanceof ZodPipe) return unwrapSchema(schema.def.in)
  for (const Wrapper of [ZodOptional, ZodNullable, ZodDefault, ZodPrefault, ZodNonOptional, ZodCatch, ZodReadonly]) {
    if (schema instanceof Wrapper) return unwrapSchema(schema.def.innerType)
  }
  return schema
}

/** Compares names without regard to case, underscores and hyphens. */
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
