import type { ErrorCode } from '@papermoon/contract/errors'
import type { Clock, Timers } from '@papermoon/engine'
import type { Logger } from 'pino'
import { toAddressKey } from './client-address.ts'
import type { LimitName } from './rate-limits.ts'

/**
 * Max number of log lines of one kind per minute. The number is limited, because strangers can cause any number of
 * lines.
 */
const LINES_MAX = 60
/**
 * Max number of log lines of one kind per IP address and minute. The number is limited, so that a flood from one
 * address does not hide other attacks.
 */
const LINES_PER_ADDRESS_MAX = 6
const ADDRESSES_MAX = 2_000
const MINUTE_MS = 60_000

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

/** A line of the security log. A line must not contain a password, code, token, key or email address. */
export interface SecurityLine {
  /** Kind of the line, from `account-events.ts` or `kinds`. */
  readonly kind: string
  /** The player whom the line is about. The player is null if the line is not about a particular player. */
  readonly userId: number | null
  /** The IP address. Null if an operator's command or a background job caused the event. */
  readonly ip: string | null
  readonly browser?: string | null
  /** Time of the event, if it was earlier. */
  readonly at?: string
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>
}

/**
 * The security log: lines in the server's log with `security: true` and a stable format, which
 * docs/operations/moderate.md describes.
 */
export interface SecurityLog {
  /** Logs a completed action. The number of these lines is not limited. */
  done(line: SecurityLine): void
  /**
   * Logs a rejected call. The number of lines per minute is limited, and the log counts further rejections as
   * `suppressed`.
   */
  refused(line: SecurityLine): void
  /** Logs a rejected call with `refused` if the call was an attempt to bypass a protection. */
  attempt(attempt: Attempt): void
}

interface Attempt {
  readonly ip: string
  readonly code: ErrorCode
  /** Name of the called procedure, or path of the request. */
  readonly path: string
  /** The limit that the call exceeded; undefined if it exceeded none. */
  readonly limit?: string | undefined
}

interface Minute {
  readonly startedMs: number
  readonly lines: Map<string, number>
  readonly addresses: Map<string, number>
  readonly suppressed: Map<string, number>
}

interface Parts {
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly clock: Clock
  readonly timers: Timers
}

/** Creates a security log that writes to the server's log. */
export function createSecurityLog({ log, clock, timers }: Parts): SecurityLog {
  let minute = newMinute(0)
  const begin = (nowMs: number) => {
    for (const [kind, suppressed] of minute.suppressed) {
      log.warn({ security: true, kind, userId: null, ip: null, suppressed }, `security: ${kind}`)
    }
    minute = newMinute(nowMs)
  }
  const securityLog: SecurityLog = {
    done: (line) => log.info({ security: true, ...line }, `security: ${line.kind}`),
    refused: (line) => {
      const nowMs = clock.now().getTime()
      if (nowMs - minute.startedMs >= MINUTE_MS) begin(nowMs)
      if (hasRoom(minute, line)) return log.warn({ security: true, ...line }, `security: ${line.kind}`)
      // Log the count at the end of the minute, even if there is no further rejection.
      if (minute.suppressed.size === 0) timers.after(MINUTE_MS, () => begin(clock.now().getTime()))
      count(minute.suppressed, line.kind)
    },
    attempt: ({ ip, code, path, limit }) => {
      const kind = kinds[code]
      if (kind === undefined) return
      if (code === 'RATE_LIMITED' && (limit === undefined || MARKET_LIMITS.has(limit))) return
      securityLog.refused({ kind, userId: null, ip, detail: { path: path.slice(0, 100) } })
    },
  }
  return securityLog
}

function newMinute(startedMs: number): Minute {
  return { startedMs, lines: new Map(), addresses: new Map(), suppressed: new Map() }
}

/** Counts a line of the security log. Returns false if one of the limits per minute is reached. */
function hasRoom({ lines, addresses }: Minute, { kind, ip }: SecurityLine): boolean {
  if ((lines.get(kind) ?? 0) >= LINES_MAX) return false
  const source = `${kind} ${ip === null ? '' : toAddressKey(ip)}`
  const isKnown = addresses.has(source)
  if (!isKnown && addresses.size >= ADDRESSES_MAX) return false
  if (count(addresses, source) > LINES_PER_ADDRESS_MAX) return false
  count(lines, kind)
  return true
}

function count(counts: Map<string, number>, key: string): number {
  const sum = (counts.get(key) ?? 0) + 1
  counts.set(key, sum)
  return sum
}
