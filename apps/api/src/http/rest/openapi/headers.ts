import type { DomainErrorCode } from '../../../errors.ts'
import { type ProcedurePath, procedures } from '../../calls/procedures.ts'

interface Header {
  readonly description: string
  readonly schema: { readonly type: 'string' | 'integer'; readonly minimum?: number }
}
type Headers = Readonly<Record<string, Header>>

const count = { type: 'integer', minimum: 0 } as const

const RATE_LIMIT: Headers = {
  'RateLimit-Limit': { description: 'Calls that the limit closest to its end allows.', schema: count },
  'RateLimit-Remaining': { description: 'Calls that are left of it.', schema: count },
  'RateLimit-Reset': { description: 'Seconds until it opens again.', schema: count },
}
const RETRY_AFTER: Headers = {
  'Retry-After': { description: 'Seconds until it makes sense to try again.', schema: count },
}
const AUTHENTICATE: Headers = {
  'WWW-Authenticate': {
    description: 'The scheme of API keys; with error="invalid_token" where the key is none of ours, or no more.',
    schema: { type: 'string' },
  },
}
const ORDER_KEY: Headers = {
  'Idempotency-Key': {
    description: 'With OUTCOME_UNKNOWN: the key to repeat the order with.',
    schema: { type: 'string' },
  },
}
const CHALLENGE: Headers = {
  'Proof-Of-Work-Challenge': {
    description: 'With PROOF_OF_WORK_NEEDED: the puzzle, as JSON in base64url. Its answer goes into Proof-Of-Work.',
    schema: { type: 'string' },
  },
}
const CACHED: Headers = {
  Age: {
    description: 'Only while the database is out of reach: seconds since what is shown was read.',
    schema: count,
  },
  ETag: {
    description: 'Sent back as If-None-Match, it is answered with 304 and no body as long as nothing changed.',
    schema: { type: 'string' },
  },
  Warning: { description: 'Beside Age: 110 - "Response is Stale".', schema: { type: 'string' } },
}
const NEXT_PAGE: Headers = {
  Link: {
    description: 'The address of the next page, with rel="next"; none on the last.',
    schema: { type: 'string' },
  },
}
const REPLAYED: Headers = {
  'Idempotent-Replayed': {
    description: 'true where the order was placed before, with the same idempotency key; else absent.',
    schema: { type: 'string' },
  },
}
const cookie = (description: string): Headers => ({ 'Set-Cookie': { description, schema: { type: 'string' } } })

/** Headers of successful answers. */
const OF_SUCCESS: Partial<Record<ProcedurePath, Headers>> = {
  'auth.register': cookie('The session.'),
  'auth.login': cookie('The session.'),
  'auth.logout': cookie('Clears the session.'),
  'auth.forgotPassword': cookie('Says which reset this browser asked for.'),
  'auth.resetPassword': cookie('Clears what forgot-password set; says that this browser is known.'),
  'account.events': NEXT_PAGE,
  'history.candles': NEXT_PAGE,
  'history.trades': NEXT_PAGE,
  'orders.list': NEXT_PAGE,
  'tokens.list': NEXT_PAGE,
  'tokens.holders': NEXT_PAGE,
  'tokens.launch': REPLAYED,
  'tokens.trades': NEXT_PAGE,
  'trading.buy': REPLAYED,
  'trading.rug': REPLAYED,
  'trading.sell': REPLAYED,
}

/** The headers of an answer by operation, status, and the error codes the status stands for. */
export function describeHeaders(
  operation: ProcedurePath,
  status: string,
  codes: readonly (DomainErrorCode | 'INTERNAL')[],
): Headers {
  return {
    ...RATE_LIMIT,
    ...(status < '400' && OF_SUCCESS[operation]),
    ...(status < '400' && procedures.get(operation)?.meta.answer !== undefined && CACHED),
    ...(status === '401' && AUTHENTICATE),
    ...((status === '429' || status === '503') && RETRY_AFTER),
    ...(codes.includes('OUTCOME_UNKNOWN') && ORDER_KEY),
    ...(codes.includes('PROOF_OF_WORK_NEEDED') && CHALLENGE),
  }
}
