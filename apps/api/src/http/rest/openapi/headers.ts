import type { ErrorCode } from '@papermoon/contract/errors'
import type { Procedure } from '@papermoon/contract/procedure'
import { isPaged, isReplayable } from '../body.ts'

interface Header {
  readonly description: string
  readonly schema: { readonly type: 'string' | 'integer'; readonly minimum?: number }
}

const count = { type: 'integer', minimum: 0 } as const
const text = { type: 'string' } as const

/** Headers that any answer may have; operations do not repeat them. */
export const COMMON_HEADERS = {
  'X-Request-Id': { description: 'Names the request, as problem details and the server’s log do.', schema: text },
  'RateLimit-Limit': { description: 'Calls that the limit closest to its end allows.', schema: count },
  'RateLimit-Remaining': { description: 'Calls that are left of it.', schema: count },
  'RateLimit-Reset': { description: 'Seconds until it opens again.', schema: count },
  Age: {
    description: 'Only while the database is out of reach: seconds since what is shown was read.',
    schema: count,
  },
  ETag: {
    description: 'Of a public read: sent back as If-None-Match, it is answered with 304 as long as nothing changed.',
    schema: text,
  },
  Warning: { description: 'Beside Age: 110 - "Response is Stale".', schema: text },
  Deprecation: { description: 'When the operation was deprecated: @ and seconds since 1970 (RFC 9745).', schema: text },
  Sunset: { description: 'Beside Deprecation: until when the operation works at least (RFC 8594).', schema: text },
} as const satisfies Readonly<Record<string, Header>>

/** Headers that some answers have, as components. */
export const headerComponents = {
  'Retry-After': { description: 'Seconds until it makes sense to try again.', schema: count },
  'WWW-Authenticate': {
    description: 'The scheme of API keys; with error="invalid_token" where the key is none of ours, or no more.',
    schema: text,
  },
  'Idempotency-Key': { description: 'With OUTCOME_UNKNOWN: the key to repeat the order with.', schema: text },
  'Proof-Of-Work-Challenge': {
    description: 'With PROOF_OF_WORK_NEEDED: the puzzle, as JSON in base64url. Its answer goes into Proof-Of-Work.',
    schema: text,
  },
  Link: {
    description:
      'The address of the next page, with rel="next" (none on the last), or of what replaces a deprecated operation, with rel="successor-version"; beside a plain sentence, the page of its error, with rel="help".',
    schema: text,
  },
  'Set-Cookie': { description: 'The session, or a browser’s part in a password reset.', schema: text },
  'Idempotent-Replayed': {
    description: 'true where the order was placed before, with the same idempotency key; else absent.',
    schema: text,
  },
} as const satisfies Readonly<Record<string, Header>>

type HeaderName = keyof typeof headerComponents
type HeaderReferences = Readonly<Partial<Record<HeaderName, { readonly $ref: string }>>>

/** The headers of an operation's successful answer, beside the common ones. */
export function describeSuccessHeaders(entry: Procedure): HeaderReferences {
  return toReferences([
    ...(entry.setsCookie ? (['Set-Cookie'] as const) : []),
    ...(isPaged(entry) || entry.deprecated ? (['Link'] as const) : []),
    ...(isReplayable(entry) ? (['Idempotent-Replayed'] as const) : []),
  ])
}

/** The headers of a refusal by the statuses and error codes that it stands for, beside the common ones. */
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
