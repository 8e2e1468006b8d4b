import type { Clock } from '@papermoon/engine'
import type { Logger } from 'pino'
import { toAddressKey } from './client-address.ts'

/** Lines of one kind in a minute; strangers can cause them at will. */
const LINES_MAX = 60
/** Of those, from one address: one flood hides no other attack. */
const LINES_PER_ADDRESS_MAX = 6
const ADDRESSES_MAX = 2_000
const MINUTE_MS = 60_000

/** One line of the security log. Never a secret: no password, code, token, key or e-mail address. */
export interface SecurityLine {
  /** What happened: a kind of `account-events.ts`, or of `attempts.ts`. */
  readonly kind: string
  /** Null where nobody in particular is meant. */
  readonly userId: number | null
  /** Null: an operator's command, or a job of the server. */
  readonly ip: string | null
  readonly browser?: string | null
  /** When, where that was not now. */
  readonly at?: string
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>
}

/**
 * Security log: lines of the server's log with `security: true` and a stable shape, documented in docs/operations/moderate.md.
 */
export interface SecurityLog {
  /** Something that was done: always written. */
  done(line: SecurityLine): void
  /** Something that was refused: a bounded number a minute; the rest is counted and told with `suppressed`. */
  refused(line: SecurityLine): void
}

interface Minute {
  readonly startedMs: number
  readonly lines: Map<string, number>
  readonly addresses: Map<string, number>
  readonly suppressed: Map<string, number>
}

/** The security log within the server's. */
export function createSecurityLog(log: Pick<Logger, 'info' | 'warn'>, clock: Clock): SecurityLog {
  let minute = newMinute(0)
  const begin = (nowMs: number) => {
    for (const [kind, suppressed] of minute.suppressed) {
      log.warn({ security: true, kind, userId: null, ip: null, suppressed }, `security: ${kind}`)
    }
    minute = newMinute(nowMs)
  }
  return {
    done: (line) => log.info({ security: true, ...line }, `security: ${line.kind}`),
    refused: (line) => {
      const nowMs = clock.now().getTime()
      if (nowMs - minute.startedMs >= MINUTE_MS) begin(nowMs)
      if (hasRoom(minute, line)) return log.warn({ security: true, ...line }, `security: ${line.kind}`)
      // Told once the minute is over, even when nothing else is refused then.
      if (minute.suppressed.size === 0) setTimeout(() => begin(clock.now().getTime()), MINUTE_MS).unref()
      count(minute.suppressed, line.kind)
    },
  }
}

function newMinute(startedMs: number): Minute {
  return { startedMs, lines: new Map(), addresses: new Map(), suppressed: new Map() }
}

/** Counts a line; false when there are enough of its kind, or from its address, in this minute. */
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
