import { STATUS_CODES } from 'node:http'
import type { FastifySchema } from 'fastify'
import { type ZodObject, z } from 'zod'
import { type DomainErrorCode, toTransport } from '../../../errors.ts'
import { ANSWER_CHARACTERS_MAX, workChallenge } from '../../../security/proof-of-work/challenge.ts'
import { getAcceptedScopes } from '../../../trpc.ts'
import { requestKey } from '../../../validation/amounts.ts'
import { type ProcedureFacts, procedures } from '../../calls/procedures.ts'
import { KEY_FIELD } from '../input.ts'
import type { RestRoute } from '../routes.ts'
import { ROW_FORMATS } from '../streams/formats.ts'
import { rowStreams } from '../streams/row-streams.ts'

type RefusalCode = DomainErrorCode | 'INTERNAL'

/** Refusals of every route. */
const REFUSED_ANYWHERE = [
  'BAD_INPUT',
  'FOREIGN_HOST',
  'API_KEY_INVALID',
  'API_KEY_NOT_ALLOWED',
  'KEY_EXPIRED',
  'KEY_NETWORK_NOT_ALLOWED',
  'ACCOUNT_FROZEN',
  'RATE_LIMITED',
  'DATABASE_AWAY',
] as const

/** Refusals of every route with a body. */
const BODY_REFUSALS = ['CROSS_ORIGIN', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const

const problem = z
  .object({
    type: z.literal('about:blank'),
    title: z.string(),
    detail: z.string().describe('One plain sentence.'),
    retryAfterS: z.int().optional().describe('Seconds.'),
    requestKey: z.string().optional().describe('The idempotency key to repeat the order with.'),
  })
  .describe('RFC 9457 problem details, for API keys and clients that prefer JSON to plain text.')

const fieldError = z.object({
  field: z.string().describe('Its name, with dots in a nested one; empty for the whole input.'),
  pointer: z.string().describe('JSON Pointer into the input: #/solAmount.'),
  message: z.string().describe('One plain sentence.'),
})

const PROOF_HEADER_TEXT =
  'The answer to the puzzle of a 429: { challenge, solution: { counter, derivedKey } } as JSON in base64url.'

/** A route as the OpenAPI document describes it. Nothing validates by it: the procedure does. */
export function toRestSchema(route: RestRoute): FastifySchema {
  const facts = getProcedureFacts(route)
  const { params, rest } = splitInput(facts.input, route.path)
  const headers = toHeaderSchema(route, facts)
  return {
    summary: route.summary,
    operationId: route.procedure,
    tags: [route.procedure.split('.')[0] ?? ''],
    security: toSecurity(route, facts),
    ...(params && { params }),
    ...(rest && (facts.type === 'query' ? { querystring: rest } : { body: rest })),
    ...(headers !== null && { headers }),
    response: {
      [route.status ?? 200]: toAnswer(route, facts),
      ...Object.fromEntries(listRefusals(route, facts).map(([status, codes]) => [status, refusal(status, codes)])),
    },
  }
}

export function getProcedureFacts(route: RestRoute): ProcedureFacts {
  const facts = procedures.get(route.procedure)
  if (facts === undefined) {
    throw new Error(`${route.procedure}, called by ${route.path} in http/rest/routes.ts, is not in any router.ts`)
  }
  return facts
}

/** Our own request headers that the route takes, or null. */
function toHeaderSchema({ refusals = [] }: RestRoute, { input }: ProcedureFacts): ZodObject | null {
  const takesKey = input !== null && KEY_FIELD in input.shape
  const takesProof = refusals.includes('PROOF_OF_WORK_NEEDED')
  if (!takesKey && !takesProof) return null
  return z.object({
    ...(takesKey && { 'Idempotency-Key': requestKey.optional() }),
    ...(takesProof && {
      'Proof-Of-Work': z.string().max(ANSWER_CHARACTERS_MAX).optional().describe(PROOF_HEADER_TEXT),
    }),
  })
}

/** The credentials that the route takes, one of them. */
function toSecurity({ access }: RestRoute, { type, meta }: ProcedureFacts): Record<string, string[]>[] {
  if (access === 'anyone') return []
  return [{ session: [] }, ...getAcceptedScopes(type, meta).map((scope) => ({ apiKey: [scope] }))]
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

/** The error codes that a route may refuse with, by HTTP status. */
export function listRefusals(
  route: RestRoute,
  { type, meta }: ProcedureFacts,
): [status: number, codes: RefusalCode[]][] {
  const codes = new Set<DomainErrorCode>(REFUSED_ANYWHERE)
  if (route.access === 'player') codes.add('NOT_SIGNED_IN')
  if (type === 'mutation') for (const code of BODY_REFUSALS) codes.add(code)
  // What is open to guests is refused to the API key of a suspended player too.
  if (type === 'mutation' && meta.whenSuspended !== 'allowed') codes.add('ACCOUNT_SUSPENDED')
  for (const code of route.refusals ?? []) codes.add(code)
  const byStatus = Map.groupBy<number, RefusalCode>(codes, (code) => toTransport(code).http)
  return [...byStatus.set(500, ['INTERNAL'])].sort(([one], [other]) => one - other)
}

function refusal(status: number, codes: readonly RefusalCode[]) {
  return {
    description: STATUS_CODES[status] ?? 'Refused',
    content: {
      'text/plain': { schema: z.string().describe('One plain sentence.') },
      'application/problem+json': {
        schema: problem.extend({
          status: z.literal(status),
          code: z.enum(codes).describe('Stable, for programs.'),
          ...(codes.includes('BAD_INPUT') && {
            errors: z.array(fieldError).optional().describe('Every wrong field of the input, at most 20.'),
          }),
          ...(codes.includes('PROOF_OF_WORK_NEEDED') && { challenge: workChallenge.optional() }),
        }),
      },
    },
  }
}

function toAnswer({ procedure, answer }: RestRoute, { output }: ProcedureFacts) {
  const rows = rowStreams[procedure]
  const streams = rows === undefined ? [] : Object.keys(ROW_FORMATS)
  return {
    description: 'Done.',
    content: {
      'application/json': { schema: answer?.schema ?? output ?? z.unknown() },
      ...Object.fromEntries(streams.map((type) => [type, { schema: z.string().describe(STREAM_TEXT) }])),
    },
  }
}

const STREAM_TEXT = 'Where Accept prefers it: all of the list, streamed, unless `limit` says less.'
