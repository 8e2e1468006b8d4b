/** SQLSTATE classes of connections, resources, limits, operator intervention, system and transaction state. */
const UNAVAILABLE = new Set(['08', '53', '54', '57', '58', '25'])

const DISK_FULL = '53100'
const QUERY_CANCELED = '57014'
const LOCK_TIMEOUT = '55P03'
/** SQLSTATEs of a serialization failure and a deadlock. */
const CONFLICTS: ReadonlySet<string | null> = new Set(['40001', '40P01'])
/** Matches messages of pg and its pool about a connection that ended or took too long. */
const OF_PG = /^(Connection terminated|timeout exceeded when trying to connect|PostgreSQL did not respond)/

/** Returns whether the database cannot serve at the moment, because it is unreachable, starting, full or too slow. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = getSqlState(error)
  return code === null ? isConnectionLoss(error) : UNAVAILABLE.has(code.slice(0, 2))
}

/** Returns whether the disk of the database has no space for new data. */
export function isDatabaseFull(error: unknown): boolean {
  return getSqlState(error) === DISK_FULL
}

/** Returns whether a statement took longer than allowed or was cancelled. */
export function isStatementCanceled(error: unknown): boolean {
  return getSqlState(error) === QUERY_CANCELED
}

/** Returns whether a statement waited too long for rows that others have locked. */
export function isLockTimeout(error: unknown): boolean {
  return getSqlState(error) === LOCK_TIMEOUT
}

/**
 * Returns whether a transaction was rolled back because it collided with another one. The transaction may succeed when
 * it runs again.
 */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(getSqlState(error))
}

/** Errors of failed connection attempts to the database. */
const failedConnects = new WeakSet<Error>()

export function markFailedConnect(error: Error): void {
  failedConnects.add(error)
}

/**
 * Returns whether an error or its cause says that the database cannot serve. Unlike `isDatabaseUnavailable`, it never
 * returns true for an error of another server.
 */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (failedConnects.has(error) || isDatabaseOutage(error.cause)) return true
  return getSqlState(error) === null ? OF_PG.test(error.message) : isDatabaseUnavailable(error)
}

/** Returns the five characters of an error's SQLSTATE, or null if PostgreSQL did not respond. */
export function getSqlState(error: unknown): string | null {
  // Ignore system error codes, because they may also have five letters, such as EPIPE.
  if (!(error instanceof Error) || !('code' in error) || isSystemError(error)) return null
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null
}

/**
 * Returns whether the message of an error says that a connection was lost. Errors of pg and Kysely have only a message,
 * but no code.
 */
function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return isSystemError(error) || /connection|timeout|not queryable|closed|destroyed/i.test(error.message)
}

function isSystemError(error: Error): boolean {
  return 'errno' in error || 'syscall' in error
}
