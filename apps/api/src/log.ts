import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import { foldOutages } from './fold-outages.ts'

const STDERR = 2

/** Whether a person reads stderr: then logs are readable lines, else lines of JSON. */
export const isTerminal = isatty(STDERR)

/** Creates the server's log on stderr. Secrets are removed from it. */
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
