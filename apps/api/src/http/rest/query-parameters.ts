import { BadInputError } from '../../errors.ts'
import { createUnknownPropertyError } from '../../validation/known-properties.ts'

/** What proxies, link trackers and clients that go around a cache add to an address. */
const IGNORED = /^(_|utm_.*)$/

/** The parameters of an address that mean something to us, or should; throws `BadInputError` for one given twice. */
export function readQuery(query: unknown): Record<string, unknown> {
  const entries = Object.entries(Object(query)).filter(([name]) => !IGNORED.test(name))
  for (const [name, value] of entries) {
    if (Array.isArray(value)) throw new BadInputError(`${showName(name)} is given more than once.`)
  }
  return Object.fromEntries(entries)
}

/** Refuses every parameter but these, at an address that has no procedure's schema. Throws `BadInputError`. */
export function assertQuery(query: unknown, known: readonly string[] = []): void {
  for (const name of Object.keys(readQuery(query))) {
    if (!known.includes(name)) throw createUnknownPropertyError([name], known)
  }
}

function showName(name: string): string {
  return /^[\x21-\x7e]{1,64}$/.test(name) ? name : 'A parameter'
}
