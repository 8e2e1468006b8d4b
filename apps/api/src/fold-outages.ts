import { isDatabaseOutage } from '@papermoon/db'
import type { LogFn, Logger, LoggerOptions } from 'pino'

const REPORT_EVERY_MS = 60_000
const WARN = 40

type LogHook = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

/**
 * For pino: every job of every node fails several times a second while the database is away. The first failure is logged as it is,
 * the others once a minute as a count by their messages, and the end is told after a minute without any.
 */
export function foldOutages(): LogHook {
  let folded: Map<string, number> | null = null
  const report = (log: Logger, write: LogFn, timer: NodeJS.Timeout) => {
    if (folded === null || folded.size === 0) {
      clearInterval(timer)
      folded = null
      log.info('no call of the database has failed for a minute')
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
