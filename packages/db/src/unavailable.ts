/** SQLSTATE classes: connection, resources, program limits, operator intervention, system error, invalid transaction state. */
const UNAVAILABLE = new Set(['08', '53', '54', '57', '58', '25'])

const DISK_FULL = '53100'
const QUERY_CANCELED = '57014'
const LOCK_TIMEOUT = '55P03'
/** Serialization failure, deadlock. */
const CONFLICTS: ReadonlySet<string | null> = new Set(['40001', '40P01'])
/** What pg and its pool say of a connection that ended or took too long. */
const OF_PG = /^(Connection terminated|timeout exceeded when trying to connect|PostgreSQL left a connection)/

/** Whether the database cannot serve now: unreachable, starting, full or too slow. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = getSqlState(error)
  return code === null ? isConnectionLoss(error) : UNAVAILABLE.has(code.slice(0, 2))
}

/** Whether the database's disk has no room for what was to be written. */
export function isDatabaseFull(error: unknown): boolean {
  return getSqlState(error) === DISK_FULL
}

/** Whether a statement took longer than it may, or was cancelled; its transaction is rolled back. */
export function isStatementCanceled(error: unknown): boolean {
  return getSqlState(error) === QUERY_CANCELED
}

/** Whether a statement waited too long for rows that others hold; its transaction is rolled back. */
export function isLockTimeout(error: unknown): boolean {
  return getSqlState(error) === LOCK_TIMEOUT
}

/** Whether a transaction collided with another one: it is rolled back, and may succeed when it runs again. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(getSqlState(error))
}

/** Errors of connections that did not come about, which look like those of any other server. */
const failedConnects = new WeakSet<Error>()

export function markFailedConnect(error: Error): void {
  failedConnects.add(error)
}

/** Whether an error, or its cause, says that the database cannot serve; unlike `isDatabaseUnavailable` never of another server. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (failedConnects.has(error) || isDatabaseOutage(error.cause)) return true
  return getSqlState(error) === null ? OF_PG.test(error.message) : isDatabaseUnavailable(error)
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
