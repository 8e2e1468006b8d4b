/** Classes of SQLSTATE: connection, resources, program limits, intervention (shutdown, cancel), system, transaction ended. */
const UNAVAILABLE = new Set(['08', '53', '54', '57', '58', '25'])

/** Whether an error says that the database cannot serve now: gone, starting, full, or too slow. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = getSqlState(error)
  return code === null ? isConnectionLoss(error) : UNAVAILABLE.has(code.slice(0, 2))
}

/** PostgreSQL's own five characters for what went wrong; null where it did not answer. */
export function getSqlState(error: unknown): string | null {
  // The system's codes may have five letters, too: EPIPE.
  if (!(error instanceof Error) || !('code' in error) || isSystemError(error)) return null
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null
}

/** The errors of pg and Kysely themselves say it in words. */
function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return isSystemError(error) || /connection|timeout|not queryable|closed|destroyed/i.test(error.message)
}

function isSystemError(error: Error): boolean {
  return 'errno' in error || 'syscall' in error
}
