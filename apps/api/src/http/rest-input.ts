import type { FastifyRequest } from 'fastify'
import { ZodDefault, ZodNullable, ZodNumber, type ZodObject, ZodOptional, type ZodType } from 'zod'
import { BadInputError } from '../errors.ts'

/** The header that carries an order's idempotency key, and the field of the input that it fills. */
export const KEY_HEADER = 'idempotency-key'
export const KEY_FIELD = 'requestId'

/**
 * The input of a procedure as a REST request says it: the address, the query or body, and the idempotency key.
 * Whether it is right is for the procedure to say. Throws `BadInputError` when header and body name two keys.
 */
export function restInput(request: FastifyRequest, schema: ZodObject | null): unknown {
  if (schema === null) return undefined
  const given = (request.method === 'POST' || request.method === 'PUT' ? request.body : request.query) ?? {}
  // The schema says what it should have been.
  if (typeof given !== 'object' || Array.isArray(given)) return given
  const inBody = request.method === 'POST' || request.method === 'PUT'
  const fields: Record<string, unknown> = {
    ...(inBody ? given : numbersIn(given, schema)),
    ...numbersIn(request.params, schema),
  }
  const key = request.headers[KEY_HEADER]
  if (key === undefined || !(KEY_FIELD in schema.shape)) return fields
  // Whichever were taken, a repeat that says the other one would trade again.
  if (fields[KEY_FIELD] !== undefined && fields[KEY_FIELD] !== key) {
    throw new BadInputError('requestId is another key than the one in the Idempotency-Key header.')
  }
  fields[KEY_FIELD] = key
  return fields
}

/** Addresses hold text; what the schema wants as a number, and is one, becomes one, of up to as many digits as a safe integer has. */
function numbersIn(texts: unknown, schema: ZodObject): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(Object(texts))) {
    const isNumber = wantsNumber(schema.shape[name]) && typeof text === 'string' && /^-?\d{1,16}$/.test(text)
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
