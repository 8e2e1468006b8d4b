import type { ErrorCode } from '@papermoon/contract/errors'
import type { Procedure } from '@papermoon/contract/procedure'
import { isPaged, isReplayable } from '../call.ts'

interface Header {
  readonly description: string
  readonly schema: { readonly type: 'string' | 'integer'; readonly minimum?: number }
}

const count = { type: 'integer', minimum: 0 } as const
const text = { type: 'string' } as const

/** Headers that every response can have. The operations do not list these headers again. */
export const COMMON_HEADERS = {
  'X-Request-Id': { description: 'Id of the request, also in problem details and in the server’s log.', schema: text },
  'RateLimit-Limit': {
    description: 'Maximum calls per time window, for the limit that you are closest to.',
    schema: count,
  },
  'RateLimit-Remaining': { description: 'Number of calls left in this time window.', schema: count },
  'RateLimit-Reset': { description: 'Seconds until the limit resets.', schema: count },
  Age: {
    description: 'Seconds since the server read the data. The header is sent only while the database is unavailable.',
    schema: count,
  },
  ETag: {
    description: 'Send this value as If-None-Match to get 304 if nothing has changed. Only public reads have an ETag.',
    schema: text,
  },
  Warning: { description: 'The text 110 - "Response is Stale", sent with Age.', schema: text },
  Deprecation: {
    description: 'When the operation was deprecated, as @ and seconds since 1970 (RFC 9745).',
    schema: text,
  },
  Sunset: {
    description: 'The operation works at least until this time (RFC 8594). The header comes with Deprecation.',
    schema: text,
  },
} as const satisfies Readonly<Record<string, Header>>

/** Components for headers that not every response has. */
export const headerComponents = {
  'Retry-After': { description: 'Seconds to wait before trying again.', schema: count },
  'WWW-Authenticate': {
    description: 'Bearer; with error="invalid_token" if the API key does not exist or was revoked.',
    schema: text,
  },
  'Idempotency-Key': { description: 'After OUTCOME_UNKNOWN, repeat the order with this key.', schema: text },
  'Proof-Of-Work-Challenge': {
    description:
      'The puzzle to solve after PROOF_OF_WORK_NEEDED, as JSON in base64url. Send the solution in the header Proof-Of-Work.',
    schema: text,
  },
  Link: {
    description:
      'URL of the next page (rel="next", absent on the last), of a deprecated operation’s replacement (rel="successor-version"), or of the page about a text/plain error (rel="help").',
    schema: text,
  },
  'Set-Cookie': { description: 'Cookie of the session, or of a password reset in this browser.', schema: text },
  'Idempotent-Replayed': {
    description: 'true if the order was already placed with the same idempotency key.',
    schema: text,
  },
} as const satisfies Readonly<Record<string, Header>>

type HeaderName = keyof typeof headerComponents
type HeaderReferences = Readonly<Partial<Record<HeaderName, { readonly $ref: string }>>>

/** Returns the headers of a successful response, without the common headers. */
export function describeSuccessHeaders(entry: Procedure): HeaderReferences {
  return toReferences([
    ...(entry.setsCookie ? (['Set-Cookie'] as const) : []),
    ...(isPaged(entry) || entry.deprecated ? (['Link'] as const) : []),
    ...(isReplayable(entry) ? (['Idempotent-Replayed'] as const) : []),
  ])
}

/** Returns the headers of an error response with these statuses and codes, without the common headers. */
export function describeRefusalHeaders(statuses: readonly number[], codes: readonly ErrorCode[]): HeaderReferences {
  return toReferences([
    'Link',
    ...(statuses.includes(401) ? (['WWW-Authenticate'] as const) : []),
    ...(statuses.includes(429) || statuses.includes(503) ? (['Retry-After'] as const) : []),
    ...(codes.includes('OUTCOME_UNKNOWN') ? (['Idempotency-Key'] as const) : []),
    ...(codes.includes('PROOF_OF_WORK_NEEDED') ? (['Proof-Of-Work-Challenge'] as const) : []),
  ])
}

function toReferences(names: readonly HeaderName[]): HeaderReferences {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
