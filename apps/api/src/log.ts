import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

const STDERR = 2

/** The server's log: on stderr, lines of JSON, or readable ones on a terminal. Secrets never get into it. */
export function createLog(level: string): Logger {
  const options = {
    level,
    base: null,
    redact: ['*.password', '*.headers.cookie', '*.headers.authorization'],
  }
  const stream = isatty(STDERR)
    ? pretty({ destination: STDERR, sync: true, translateTime: 'SYS:HH:MM:ss' })
    : pino.destination({ dest: STDERR, sync: true })
  return pino(options, stream)
}
