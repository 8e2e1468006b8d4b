import type { FieldError } from '@papermoon/contract/error-data'
import type { Procedure } from '@papermoon/contract/procedure'
import type { FastifyRequest } from 'fastify'
import { ZodDefault, ZodNullable, ZodNumber, type ZodObject, ZodOptional, type ZodType } from 'zod'
import { createUnknownPropertyError } from '../../validation/known-properties.ts'
import { createBadInput, toFieldError } from '../../validation/messages.ts'

/** Matches query parameters to ignore. They come from link trackers and from clients that bypass caches. */
const IGNORED = /^(_|utm_.*)$/

/** The header with the idempotency key of an order, and the input field for it. */
export const KEY_HEADER = 'idempotency-key'

export const KEY_FIELD = 'requestId'

/**
 * Builds a procedure's input from the path, the query or body, and the idempotency key's header. Throws `BadInputError`
 * only for fields in the wrong part of the request, because the procedure validates the rest.
 */
export function restInput(
  request: FastifyRequest,
  { type, input: schema }: Pick<Procedure, 'type' | 'input'>,
): unknown {
  const query = readQuery(request.query)
  // A query uses POST if its input has alternative forms.
  const isInAddress = type === 'query' && request.method !== 'POST'
  if (!isInAddress) assertNotInQuery(query, schema)
  const given = isInAddress ? numbersIn(query, schema) : (request.body ?? {})
  // Leave other values to the schema, because it says what it expects.
  if (typeof given !== 'object' || Array.isArray(given)) return given
  const params = numbersIn(request.params, schema)
  const doubled = Object.keys(params).filter((name) => Object.hasOwn(given, name))
  if (doubled.length > 0) throw createBadInput(doubled.map((name) => toFieldError([name], 'is already in the path')))
  return withKey(request, { ...given, ...params }, schema)
}

function assertNotInQuery(query: object, schema: ZodObject | null): void {
  const names = Object.keys(query)
  if (names.length === 0) return
  const misplaced = names.filter((name) => Object.hasOwn(schema?.shape ?? {}, name))
  if (misplaced.length === 0) throw createUnknownPropertyError(names, [])
  throw createBadInput(misplaced.map((name) => toFieldError([name], 'must be sent in the body')))
}

/** Adds the idempotency key from the header to the fields, if the procedure accepts one. */
function withKey(request: FastifyRequest, fields: Record<string, unknown>, schema: ZodObject | null): unknown {
  const key = request.headers[KEY_HEADER]
  if (key === undefined || schema === null || !(KEY_FIELD in schema.shape)) return fields
  // Reject two different keys. Otherwise, a retry with the other key would trade a second time.
  if (fields[KEY_FIELD] !== undefined && fields[KEY_FIELD] !== key) {
    throw createBadInput([toFieldError([KEY_FIELD], 'differs from the key in the Idempotency-Key header')])
  }
  return { ...fields, [KEY_FIELD]: key }
}

/**
 * Converts texts from the URL to numbers where the schema expects an integer. Only texts of up to 16 digits are
 * converted, because safe integers have no more.
 */
function numbersIn(texts: unknown, schema: ZodObject | null): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(Object(texts))) {
    const isNumber = wantsNumber(schema?.shape[name]) && typeof text === 'string' && /^-?\d{1,16}$/.test(text)
    Object.defineProperty(fields, name, { value: isNumber ? Number(text) : text, enumerable: true })
  }
  return fields
}

function wantsNumber(schema: unknown): boolean {
  if (schema instanceof ZodOptional || schema instanceof ZodNullable || schema instanceof ZodDefault) {
    return wantsNumber(schema.unwrap() as ZodType)
  }
  return schema instanceof ZodNumber
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
