/** A REST call: the input from the request, the procedure, and the body of the response. */

// This import adds the implementations to the contract's procedures.
import '../../router.ts'
import type { Deprecation, Procedure } from '@papermoon/contract/procedure'
import { NotSignedInError } from '@papermoon/engine'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ZodDefault, ZodNullable, ZodNumber, ZodObject, ZodOptional, type ZodType } from 'zod'
import { jsonBody } from '../../cache/cache-entry.ts'
import { findUserId } from '../../caller.ts'
import type { App } from '../../context.ts'
import { NotAcceptableError } from '../../errors.ts'
import { getMarketOf } from '../../features/fairs/access.ts'
import { run } from '../../trpc.ts'
import { createUnknownPropertyError, readQuery } from '../../validation/known-properties.ts'
import { createBadInput, toFieldError } from '../../validation/messages.ts'
import { createHttpContext } from '../calls/call-context.ts'
import { NOT_MODIFIED, type ResponseCache, type ResponseCompressor } from '../calls/response-cache.ts'
import { acceptsJson } from '../media-quality.ts'
import { toPascal } from './openapi/component-schemas.ts'
import type { RestRoute } from './routes.ts'
import { chooseRowFormat, ROW_FORMATS, toExportPath } from './streams/formats.ts'
import { rowStreams } from './streams/row-streams.ts'
import type { RowSender } from './streams/send-rows.ts'

/** All parts that are needed to respond to REST calls. */
export interface RestParts {
  readonly app: App
  readonly answers: ResponseCache
  readonly compressor: ResponseCompressor
  readonly rowSender: RowSender
}

/** Returns the handler of a route: reads the input, calls the procedure, and sends its output as the route's body. */
export function createHandler({ app, answers, compressor, rowSender }: RestParts, route: RestRoute) {
  const { entry, procedure } = route
  const rows = rowStreams[procedure]
  const rowTypes = rows === undefined ? [] : Object.keys(ROW_FORMATS)
  const deprecationHeaders = toDeprecationHeaders(entry.deprecated)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (!acceptsJson(request.headers.accept, rowTypes)) throw new NotAcceptableError()
    const { ctx, input, output } = await callRoute(app, route, [request, reply])
    reply
      .code(entry.status ?? 200)
      .type('application/json; charset=utf-8')
      .headers(deprecationHeaders)
    // Only responses of queries are cached or compressed.
    if (entry.type === 'mutation') return reply.send(JSON.stringify(toBody(entry, output, [request, reply])))
    if (rows !== undefined) reply.header('vary', 'accept')
    const format = rows === undefined || request.method !== 'GET' ? null : chooseRowFormat(request.headers.accept)
    // The procedure has already checked the caller and the input. The procedure's own response contains only one page,
    // so ignore it.
    if (rows !== undefined && format !== null) {
      reply.headers(toDeprecationHeaders({ ...ROWS_BY_ACCEPT, successor: toExportPath(request.url, format) }))
      const userId = rows.isOwn ? await findUserId(ctx) : null
      return rowSender.send({ request, reply, rows, format, input, app: getMarketOf(app, entry, input), userId })
    }
    const plain = jsonBody(toBody(entry, output, [request, reply]))
    const body = await compressor.compress([procedure], plain, { request, reply })
    if (entry.cached) {
      const isKnown = answers.validate({ request, reply, output, body })
      answers.store({ request, reply, output, reads: 1 + (entry.reads?.(input) ?? 0), body })
      if (isKnown) return reply.code(NOT_MODIFIED).removeHeader('content-type').removeHeader('content-encoding').send()
    }
    return reply.send(body)
  }
}

/** Calls the procedure of a route. Returns the output and the validated input. */
export async function callRoute(
  app: App,
  { entry, procedure }: RestRoute,
  [request, reply]: [FastifyRequest, FastifyReply],
) {
  const ctx = createHttpContext(app, request, reply)
  let input: unknown
  const readInput = () => {
    input = restInput(request, entry)
    return input
  }
  const output = await run(entry, { ctx, path: procedure, readInput })
  reply.header('cache-control', 'no-store')
  return { ctx, input, output }
}

/** The header with the idempotency key of an order, and the input field for it. */
export const KEY_HEADER = 'idempotency-key'

export const KEY_FIELD = 'requestId'

/**
 * Builds the input of a procedure from the path, the query or body, and the header with the idempotency key. Throws
 * `BadInputError` only for fields in the wrong part of the request, because the procedure validates the rest.
 */
export function restInput(
  request: FastifyRequest,
  { type, input: schema }: Pick<Procedure, 'type' | 'input'>,
): unknown {
  const query = readQuery(request.query)
  // A query uses POST if its input can have different forms.
  const isInAddress = type === 'query' && request.method !== 'POST'
  if (!isInAddress) assertNotInQuery(query, schema)
  const given = isInAddress ? numbersIn(query, schema) : (request.body ?? {})
  // Leave other values to the schema, because its error says what it expects.
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
  // Reject two different keys, because a retry with the other key would trade a second time.
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

/** The output field that marks a repeated order. REST responses use a header instead. */
const REPLAYED = 'isReplayed'

/** Returns the schema of the response body of a route, if the call succeeds. */
export function getBodySchema({ procedure, entry }: Pick<RestRoute, 'procedure' | 'entry'>): ZodType {
  const { output, list, refusesGuests } = entry
  if (refusesGuests && output instanceof ZodNullable) return output.unwrap() as ZodType
  if (!(output instanceof ZodObject)) return output
  if (list !== undefined) return output.shape[list]
  if (!isReplayable(entry)) return output
  const id = `${toPascal(procedure.slice(procedure.indexOf('.') + 1))}Result`
  return output.omit({ [REPLAYED]: true }).meta({ id })
}

/** Returns whether the response can mark an order as a repeat. */
export function isReplayable({ output }: Pick<Procedure, 'output'>): boolean {
  return output instanceof ZodObject && REPLAYED in output.shape
}

/** Returns whether the response may be one page of a longer list. */
export function isPaged({ list, nextCursor }: Pick<Procedure, 'list' | 'nextCursor'>): boolean {
  return list !== undefined || nextCursor !== undefined
}

/** Converts the output of a procedure to a REST body and headers. Throws `NotSignedInError`. */
export function toBody(entry: Procedure, output: unknown, exchange: [FastifyRequest, FastifyReply]): unknown {
  const { list, nextCursor, address, refusesGuests } = entry
  if (refusesGuests && output === null) throw new NotSignedInError()
  if (list !== undefined) {
    const page = output as Readonly<Record<string, unknown>> & { readonly nextCursor: string | null }
    linkNextPage(page.nextCursor, exchange)
    return page[list]
  }
  if (nextCursor !== undefined) linkNextPage(nextCursor(output as never, readLimit(exchange[0])), exchange)
  if (address !== undefined) return completeAddress(output as Record<string, string>, address, exchange[0])
  return isReplayable(entry) ? markReplayed(output as Receipt, exchange[1]) : output
}

interface Receipt {
  readonly isReplayed?: true
  readonly dryRun?: true
}

/**
 * Moves the field that marks a repeated order from the output to a header. For a dry run, the status is 200 instead of
 * 201.
 */
function markReplayed({ isReplayed, ...answer }: Receipt, reply: FastifyReply): unknown {
  if (isReplayed) reply.header('idempotent-replayed', 'true')
  if (answer.dryRun) reply.code(200)
  return answer
}

/**
 * Adds the requested host to a URL. A program needs the host, because it has no page from which to resolve a relative
 * URL.
 */
function completeAddress(answer: Record<string, string>, property: string, request: FastifyRequest): unknown {
  const { [property]: url = '' } = answer
  const { origin: page = '' } = request.headers
  // For a page of this server, use the page's origin, because behind a proxy only the page knows the scheme. Do not use
  // the origin of another site, because files must not be sent to that site.
  const isOwn = URL.canParse(page) && new URL(page).host === request.host.toLowerCase()
  const origin = isOwn ? page : `${request.protocol}://${request.host}`
  return { ...answer, [property]: URL.canParse(url, origin) ? new URL(url, origin).href : url }
}

/** Returns the `limit` of a valid request; undefined if the request has none. */
function readLimit({ query }: FastifyRequest): number | undefined {
  const { limit } = Object(query) as { limit?: unknown }
  return limit === undefined ? undefined : Number(limit)
}

/** Names the next page in the header `Link`. */
function linkNextPage(nextCursor: string | number | null, [request, reply]: [FastifyRequest, FastifyReply]): void {
  if (nextCursor === null) return
  const [path = '', query = ''] = request.url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', String(nextCursor))
  // The response of a deprecated route already has a link.
  const links = [reply.getHeader('link'), `<${path}?${parameters}>; rel="next"`]
  reply.header('link', links.filter((link) => link !== undefined).join(', '))
}

/** Dates of the deprecation of CSV and NDJSON by the `Accept` header. */
const ROWS_BY_ACCEPT = { since: '2026-11-24', sunset: '2028-01-01' } as const

/** The date of a deprecation, the date until which the old way works, and what replaces it. */
type Dates = Pick<Deprecation, 'since' | 'sunset'> & { readonly successor: string }

/**
 * Returns headers with the date of a route's deprecation (RFC 9745), the date until which it works (RFC 8594), and the
 * route that replaces it (RFC 5829).
 */
function toDeprecationHeaders(deprecated: Dates | undefined): Record<string, string> {
  if (deprecated === undefined) return {}
  return {
    deprecation: `@${Date.parse(deprecated.since) / 1_000}`,
    sunset: new Date(deprecated.sunset).toUTCString(),
    link: `<${deprecated.successor}>; rel="successor-version"`,
  }
}
