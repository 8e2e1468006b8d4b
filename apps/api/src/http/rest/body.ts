import type { Procedure } from '@papermoon/contract/procedure'
import { NotSignedInError } from '@papermoon/engine'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ZodNullable, ZodObject, type ZodType } from 'zod'
import { toPascal } from './openapi/component-schemas.ts'
import type { RestRoute } from './routes.ts'

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
 * Moves the field that marks a repeated order from the output to a header. Uses the status 200 instead of 201 for a dry
 * run.
 */
function markReplayed({ isReplayed, ...answer }: Receipt, reply: FastifyReply): unknown {
  if (isReplayed) reply.header('idempotent-replayed', 'true')
  if (answer.dryRun) reply.code(200)
  return answer
}

/** Adds the requested host to a URL. Programs have no page to resolve a relative URL from. */
function completeAddress(answer: Record<string, string>, property: string, request: FastifyRequest): unknown {
  const { [property]: url = '' } = answer
  const { origin: page = '' } = request.headers
  // Use the origin of our own page, because only the page knows the scheme in front of a proxy. Do not use the origin
  // of another site, because that site must not receive files.
  const isOwn = URL.canParse(page) && new URL(page).host === request.host.toLowerCase()
  const origin = isOwn ? page : `${request.protocol}://${request.host}`
  return { ...answer, [property]: URL.canParse(url, origin) ? new URL(url, origin).href : url }
}

/** Returns the limit in a valid request; undefined if it has none. */
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
  // If the route is deprecated, its response already has a link.
  const links = [reply.getHeader('link'), `<${path}?${parameters}>; rel="next"`]
  reply.header('link', links.filter((link) => link !== undefined).join(', '))
}
