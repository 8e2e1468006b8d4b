import type { ErrorCode } from '@papermoon/contract/errors'
import type { AppPart, Context } from '../context.ts'
import type { LimitName } from './rate-limits.ts'

/** Error codes of attempts to bypass a protection, with the `kind` of the log line for each. */
const kinds: Partial<Record<ErrorCode, string>> = {
  API_KEY_INVALID: 'key_invalid',
  API_KEY_NOT_ALLOWED: 'key_not_allowed',
  KEY_EXPIRED: 'key_expired',
  KEY_NETWORK_NOT_ALLOWED: 'key_network_not_allowed',
  CROSS_ORIGIN: 'cross_origin',
  NOT_YOURS: 'not_yours',
  RATE_LIMITED: 'rate_limited',
  PROOF_OF_WORK_NEEDED: 'rate_limited',
}
/** Limits that protect the market, not accounts. Calls above these limits are not logged. */
const MARKET_LIMITS: ReadonlySet<string> = new Set<LimitName>(['read', 'write', 'launch', 'upload'])

interface Attempt {
  readonly code: ErrorCode
  /** Name of the called procedure, or path of the request. */
  readonly path: string
  /** The limit that the call exceeded; undefined if it exceeded none. */
  readonly limit?: string | undefined
}

/** Writes a line to the security log if the rejected call was an attempt to bypass a protection. */
export function logAttempt(
  { accounts: { securityLog } }: AppPart<'securityLog'>,
  { ip }: Pick<Context, 'ip'>,
  { code, path, limit }: Attempt,
): void {
  const kind = kinds[code]
  if (kind === undefined) return
  if (code === 'RATE_LIMITED' && (limit === undefined || MARKET_LIMITS.has(limit))) return
  securityLog.refused({ kind, userId: null, ip, detail: { path: path.slice(0, 100) } })
}
