import { STATUS_CODES } from 'node:http'
import type { FastifySchema } from 'fastify'
import { type ZodObject, type ZodType, z } from 'zod'
import { requestKey } from '../amounts.ts'
import { type ProcedureFacts, procedures } from './procedures.ts'
import { KEY_FIELD } from './rest-input.ts'
import type { RestRoute } from './rest-routes.ts'

const problem = z
  .object({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('One plain sentence.'),
    code: z.string().describe('Stable, for programs.'),
    retryAfterS: z.int().optional().describe('Seconds.'),
    requestKey: z.string().optional().describe('The idempotency key to repeat the order with.'),
  })
  .describe('RFC 9457 problem details, for clients that accept JSON and no plain text.')

/** What the OpenAPI document says of a route; nothing here validates, the procedure does. */
export function restSchema(route: RestRoute): FastifySchema {
  const facts = factsOf(route)
  const { params, rest } = splitInput(facts.input, route.path)
  const takesKey = facts.input !== null && KEY_FIELD in facts.input.shape
  return {
    summary: route.summary,
    operationId: route.procedure,
    tags: [route.procedure.split('.')[0] ?? ''],
    security: route.access === 'player' ? [{ session: [] }] : [],
    ...(params && { params }),
    ...(rest && (facts.type === 'query' ? { querystring: rest } : { body: rest })),
    ...(takesKey && { headers: z.object({ 'Idempotency-Key': requestKey.optional() }) }),
    response: {
      [route.status ?? 200]: json(route.answer?.schema ?? facts.output ?? z.unknown(), 'Done.'),
      ...Object.fromEntries(refusalsOf(route, facts).map((status) => [status, refusal(status)])),
    },
  }
}

export function factsOf(route: RestRoute): ProcedureFacts {
  const facts = procedures.get(route.procedure)
  if (facts === undefined) throw new Error(`${route.path} calls ${route.procedure}, which is no procedure`)
  return facts
}

function splitInput(input: ZodObject | null, path: string): { params?: ZodObject; rest?: ZodObject } {
  if (input === null) return {}
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const fields = Object.entries(input.shape)
  const params = z.object(Object.fromEntries(fields.filter(([name]) => names.includes(name))))
  const rest = z.object(Object.fromEntries(fields.filter(([name]) => !names.includes(name))))
  return {
    ...(names.length > 0 && { params }),
    ...(Object.keys(rest.shape).length > 0 && { rest }),
  }
}

function refusalsOf(route: RestRoute, { input, type }: ProcedureFacts): number[] {
  const statuses = new Set([429, 500, ...(route.refusals ?? [])])
  if (input !== null) statuses.add(400)
  if (route.access === 'player') statuses.add(401)
  if (route.path.includes('{')) statuses.add(404)
  if (type === 'mutation') for (const status of [400, 403, 413, 415]) statuses.add(status)
  return [...statuses].sort()
}

function refusal(status: number) {
  return {
    description: STATUS_CODES[status] ?? 'Refused',
    content: {
      'text/plain': { schema: z.string().describe('One plain sentence.') },
      'application/problem+json': { schema: problem },
    },
  }
}

function json(schema: ZodType, description: string) {
  return { description, content: { 'application/json': { schema } } }
}
