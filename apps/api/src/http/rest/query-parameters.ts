import type { FieldError } from '@papermoon/contract/error-data'
import { createUnknownPropertyError } from '../../validation/known-properties.ts'
import { createBadInput, toFieldError } from '../../validation/messages.ts'

/** Matches parameters to ignore, which link trackers add, and clients that bypass caches. */
const IGNORED = /^(_|utm_.*)$/

/** Returns the query parameters without ignored ones. Throws `BadInputError` if a parameter is given twice. */
export function readQuery(query: unknown): Record<string, unknown> {
  const entries = Object.entries(Object(query)).filter(([name]) => !IGNORED.test(name))
  const repeated = entries.filter(([, value]) => Array.isArray(value)).map(([name]) => describeRepeated(name))
  if (repeated.length > 0) throw createBadInput(repeated)
  return Object.fromEntries(entries)
}

/** Returns the parameters of a route without a schema. Throws `BadInputError` for unknown parameters. */
export function assertQuery(query: unknown, known: readonly string[] = []): Record<string, unknown> {
  const given = readQuery(query)
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  if (unknown.length > 0) throw createUnknownPropertyError(unknown, known)
  return given
}

function describeRepeated(name: string): FieldError {
  const isShown = /^[\x21-\x7e]{1,64}$/.test(name)
  return isShown
    ? toFieldError([name], 'is given more than once')
    : toFieldError([], 'A parameter is given more than once.')
}
