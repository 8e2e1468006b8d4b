/** SQLSTATE classes: connection, resources, program limits, operator intervention, system error, invalid transaction state. */
const UNAVAILABLE = new Set(['08', '53', '54', '57', '58', '25'])

const DISK_FULL = '53100'
/** Whether the database cannot serve now: unreachable, starting, full or too slow. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = getSqlState(error)
  return code === null ? isConnectionLoss(error) : UNAVAILABLE.has(code.slice(0, 2))
}

/** Whether the database's disk has no room for what was to be written. */
export function isDatabaseFull(error: unknown): boolean {
  return getSqlState(error) === DISK_FULL
}

/** The five-character SQLSTATE of an error; null if PostgreSQL did not answer. */
export function getSqlState(error: unknown): string | null {
  // System error codes may have five letters as well: EPIPE.
  if (!(error instanceof Error) || !('code' in error) || isSystemError(error)) return null
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null
}

/** Errors raised by pg and Kysely have no code, only a message. */
function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return isSystemError(error) || /connection|timeout|not queryable|closed|destroyed/i.test(error.message)
}

function isSystemError(error: Error): boolean {
  return 'errno' in error || 'syscall' in error
}
