import { BadInputError } from '../../errors.ts'
import { createUnknownPropertyError } from '../../validation/known-properties.ts'

/** Added by link trackers, and by clients to bypass caches. */
const IGNORED = /^(_|utm_.*)$/

/** The query parameters without ignored ones. Throws `BadInputError` for one that is given twice. */
export function readQuery(query: unknown): Record<string, unknown> {
  const entries = Object.entries(Object(query)).filter(([name]) => !IGNORED.test(name))
  for (const [name, value] of entries) {
    if (Array.isArray(value)) throw new BadInputError(`${showName(name)} is given more than once.`)
  }
  return Object.fromEntries(entries)
}

/** Refuses every parameter but the known ones, on routes without a schema. Throws `BadInputError`. */
export function assertQuery(query: unknown, known: readonly string[] = []): void {
  for (const name of Object.keys(readQuery(query))) {
    if (!known.includes(name)) throw createUnknownPropertyError([name], known)
  }
}

function showName(name: string): string {
  return /^[\x21-\x7e]{1,64}$/.test(name) ? name : 'A parameter'
}
