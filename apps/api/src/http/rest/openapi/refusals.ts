import { STATUS_CODES } from 'node:http'
import { fieldError } from '@papermoon/contract/error-data'
import { type ErrorCode, errors } from '@papermoon/contract/errors'
import { workChallenge } from '@papermoon/contract/work-challenge'
import { z } from 'zod'
import { toErrorPage } from '../../error-response.ts'
import type { RestRoute } from '../routes.ts'
import { describeRefusalHeaders } from './headers.ts'

/** Error codes that every route can return. */
const REFUSED_ANYWHERE = [
  'BAD_INPUT',
  'FOREIGN_HOST',
  'NOT_ACCEPTABLE',
  'API_KEY_INVALID',
  'API_KEY_NOT_ALLOWED',
  'KEY_EXPIRED',
  'KEY_NETWORK_NOT_ALLOWED',
  'ACCOUNT_FROZEN',
  'RATE_LIMITED',
  'BUSY',
  'DATABASE_AWAY',
  'INTERNAL',
] as const

/** Error codes that every route with a body can return. */
const BODY_REFUSALS = ['CROSS_ORIGIN', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const

export const problem = z
  .object({
    type: z.string().describe('URL of the page that explains the code, relative to this server.'),
    title: z.string().describe('The status in words.'),
    status: z.int(),
    detail: z.string().describe('One sentence for people.'),
    code: z
      .string()
      .meta({ 'x-extensible-enum': Object.keys(errors).sort() })
      .describe('Error code for programs. New codes may be added. For an unknown code, use the HTTP status.'),
    instance: z.string().describe('The request’s X-Request-Id, also in the server’s log.'),
    details: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .optional()
      .describe('The values in `detail` by name, such as wouldGet and minimum, available and needed, or limit.'),
    retryAfterS: z.int().optional().describe('Seconds to wait before trying again.'),
    requestKey: z.string().optional().describe('After OUTCOME_UNKNOWN, repeat the order with this idempotency key.'),
    errors: z.array(fieldError).optional().describe('The invalid fields after BAD_INPUT, at most 20.'),
    challenge: workChallenge.optional(),
  })
  .meta({
    id: 'Problem',
    description: 'RFC 9457 problem details, for API keys and clients that prefer JSON to plain text.',
  })

/** Lists all error codes of a route, by HTTP status. */
export function listRefusals({ access, refusals, entry }: RestRoute): [status: number, codes: ErrorCode[]][] {
  const codes = new Set<ErrorCode>(REFUSED_ANYWHERE)
  if (access === 'player') codes.add('NOT_SIGNED_IN')
  if (entry.type === 'mutation') for (const code of BODY_REFUSALS) codes.add(code)
  // The API key of a suspended player cannot call any mutation, not even one that is open to guests.
  if (entry.type === 'mutation' && entry.whenSuspended !== 'allowed') codes.add('ACCOUNT_SUSPENDED')
  for (const code of refusals) codes.add(code)
  return [...Map.groupBy(codes, getStatus)].sort(([one], [other]) => one - other)
}

/** Lists the error codes of a route by status, without those in COMMON_REFUSALS. */
export function listOwnRefusals({ refusals }: Pick<RestRoute, 'refusals'>): [status: number, codes: ErrorCode[]][] {
  return [...Map.groupBy<number, ErrorCode>(refusals, getStatus)].sort(([one], [other]) => one - other)
}

/** Error codes that routes of one kind share: the document’s `x-common-error-codes`. */
export const COMMON_REFUSALS = {
  everywhere: REFUSED_ANYWHERE,
  'with a session or key': ['NOT_SIGNED_IN'],
  'in writes': [...BODY_REFUSALS, 'ACCOUNT_SUSPENDED'],
} as const satisfies Readonly<Record<string, readonly ErrorCode[]>>

/** Shared error responses: one per status that has its own headers, and 4XX and 5XX for common codes. */
export class SharedResponses {
  readonly #codes = new Map<string, Set<ErrorCode>>()

  /** Returns references to the route’s error responses. */
  describe(route: Pick<RestRoute, 'refusals'>): Record<string, { readonly $ref: string }> {
    const own = listOwnRefusals(route)
    const common = Object.values(COMMON_REFUSALS).flat()
    return {
      ...Object.fromEntries(own.map(([status, codes]) => [status, this.#refer(chooseName(status, codes), codes)])),
      '4XX': this.#refer(
        'Refused',
        common.filter((code) => getStatus(code) < 500),
      ),
      '5XX': this.#refer(
        'Failed',
        common.filter((code) => getStatus(code) >= 500),
      ),
    }
  }

  /** Returns the responses by name; if `hasExamples` is set, the sentence of each error code is included. */
  toRecord(hasExamples: boolean): Record<string, unknown> {
    const responses = [...this.#codes].sort(([one], [other]) => (one < other ? -1 : 1))
    return Object.fromEntries(
      responses.map(([name, codes]) => [name, describeResponse([...codes].sort(), hasExamples)]),
    )
  }

  #refer(name: string, codes: readonly ErrorCode[]): { readonly $ref: string } {
    const known = this.#codes.get(name) ?? new Set()
    for (const code of codes) known.add(code)
    this.#codes.set(name, known)
    return { $ref: `#/components/responses/${name}` }
  }
}

function getStatus(code: ErrorCode): number {
  return errors[code].status
}

function chooseName(status: number, codes: readonly ErrorCode[]): string {
  if (codes.includes('OUTCOME_UNKNOWN')) return 'OrderUnavailable'
  if (codes.includes('PROOF_OF_WORK_NEEDED')) return 'ProofOfWorkNeeded'
  if (status === 503) return 'Busy'
  return (STATUS_CODES[status] ?? 'Refused').replaceAll(' ', '')
}

function describeResponse(codes: readonly ErrorCode[], hasExamples: boolean) {
  const statuses = [...new Set(codes.map(getStatus))].sort()
  const [first = 'INTERNAL'] = codes
  const sentences = Object.fromEntries(codes.map((code) => [code, { value: errors[code].example }]))
  return {
    description: statuses.map((status) => STATUS_CODES[status]).join(', '),
    headers: describeRefusalHeaders(statuses, codes),
    content: {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example: toProblem(first) },
      'text/plain': { schema: { type: 'string' }, ...(hasExamples && { examples: sentences }) },
    },
  }
}

function toProblem(code: ErrorCode): unknown {
  const status = getStatus(code)
  return {
    type: toErrorPage(code),
    title: STATUS_CODES[status],
    status,
    detail: errors[code].example,
    instance: 'urn:uuid:2f8a6e0c-5d0b-4b35-9d5c-0d8f3c6f5a11',
    code,
  }
}
