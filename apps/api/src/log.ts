import { isatty } from 'node:tty'
import { isDatabaseOutage } from '@papermoon/db'
import { type LogFn, type Logger, type LoggerOptions, pino } from 'pino'

const REPORT_EVERY_MS = 60_000
const WARN = 40
const STDERR = 2

/**
 * Whether stderr is a terminal that a person reads. If a person reads it, the log has readable lines, otherwise lines
 * of JSON.
 */
export const isTerminal = isatty(STDERR)

/** Creates the server's log on stderr. Secrets are removed from the log's lines. */
export async function createLog(level: string): Promise<Logger> {
  const options = {
    level,
    base: null,
    hooks: { logMethod: foldOutages() },
    redact: ['*.password', '*.headers.cookie', '*.headers.authorization'],
  }
  if (!isTerminal) return pino(options, pino.destination({ dest: STDERR, sync: true }))
  const { default: pretty } = await import('pino-pretty')
  return pino(options, pretty({ destination: STDERR, sync: true, translateTime: 'SYS:HH:MM:ss' }))
}

type LogHook = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

/**
 * Returns a pino hook that summarizes outages. While the database is unreachable, every job on every node fails several
 * times a second. The hook logs the first failure, then once a minute the count per message. After a minute without
 * failures, the hook logs the end of the outage.
 */
export function foldOutages(): LogHook {
  let folded: Map<string, number> | null = null
  const report = (log: Logger, write: LogFn, timer: NodeJS.Timeout) => {
    if (folded === null || folded.size === 0) {
      clearInterval(timer)
      folded = null
      log.info('no database call has failed for a minute')
      return
    }
    const failures = [...folded.values()].reduce((sum, count) => sum + count)
    const of = Object.fromEntries(folded)
    folded = new Map()
    write.call(log, { failures, of }, 'calls of the database failed in the last minute')
  }
  return function fold(args, write, level) {
    if (level < WARN || !isDatabaseOutage(Object(args[0]).err)) return write.apply(this, args)
    const message = String(args[1])
    if (folded !== null) {
      folded.set(message, (folded.get(message) ?? 0) + 1)
      return
    }
    folded = new Map()
    const timer: NodeJS.Timeout = setInterval(() => report(this, write, timer), REPORT_EVERY_MS).unref()
    write.apply(this, args)
  }
}
