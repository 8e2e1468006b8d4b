/** Levels as numbers, as pino writes them: the server's logs and these can be read together. */
const LEVELS = { info: 30, warn: 40, error: 50 } as const

export interface Log {
  info(message: string, fields?: object): void
  warn(message: string, fields?: object): void
  error(message: string, fields?: object): void
}

/** A log of one JSON object a line, in the format of the server's. Keys must not be among the fields. */
export function createLog(write: (line: string) => void): Log {
  const at =
    (level: keyof typeof LEVELS) =>
    (message: string, fields: object = {}) =>
      write(`${JSON.stringify({ level: LEVELS[level], time: Date.now(), ...fields, msg: message })}\n`)
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
