import {
  getSqlState,
  isConflict,
  isDatabaseFull,
  isDatabaseUnavailable,
  isLockTimeout,
  isStatementCanceled,
} from '@papermoon/db'

/** The types of failures. The engine reacts differently to each type. */
export type Remedy =
  /** A conflict with another transaction, after which the whole batch runs again. */
  | 'retry'
  /** A row was locked for too long, so the batch runs again without the locked rows. */
  | 'skip-locked'
  /** The database rejected some data. The engine halves the batch until only the bad order fails. */
  | 'halve'
  /** The database is unavailable or too slow and wrote nothing. */
  | 'busy'
  /** The disk of the database is full, and nothing was written. */
  | 'full'
  /** The connection broke during the commit, so the outcome is unknown. */
  | 'unknown'
  /** The failure is a bug in the engine. */
  | 'bug'

/** The statement that commits a batch failed. The batch may be committed if PostgreSQL did not respond. */
export class CommitFailedError extends Error {
  constructor(cause: unknown) {
    super('the commit was refused or not answered', { cause })
  }
}

/** SQLSTATE of the database function `assert_current`: a row has changed since it was read. */
const STALE = 'PM001'
const UNIQUE_VIOLATION = '23505'
/** SQLSTATE classes of data exceptions and integrity violations. */
const DATA = new Set(['22', '23'])

export function remedyFor(error: unknown): Remedy {
  if (error instanceof CommitFailedError) return isDefiniteRefusal(error.cause) ? remedyFor(error.cause) : 'unknown'
  if (isDatabaseFull(error)) return 'full'
  if (isDatabaseUnavailable(error)) return 'busy'
  const code = getSqlState(error)
  if (code === null) return 'bug'
  if (code === STALE || isConflict(error)) return 'retry'
  if (isLockTimeout(error)) return 'skip-locked'
  return DATA.has(code.slice(0, 2)) ? 'halve' : 'bug'
}

/** Returns whether another writer changed a row that the batch had cached. */
export function isStale(error: unknown): boolean {
  return error instanceof CommitFailedError ? isStale(error.cause) : getSqlState(error) === STALE
}

/**
 * Returns whether a unique index rejected a row. A unique index rejects a row if the same order was also sent to
 * another node.
 */
export function isKeyTaken(error: unknown): boolean {
  return getSqlState(error instanceof CommitFailedError ? error.cause : error) === UNIQUE_VIOLATION
}

/**
 * Returns whether the connection is still usable. A connection is usable if PostgreSQL responded with an error that
 * does not end the session.
 */
export function connectionSurvives(error: unknown): boolean {
  const cause = error instanceof CommitFailedError ? error.cause : error
  const code = getSqlState(cause)
  return code !== null && (code === STALE || isConflict(cause) || isLockTimeout(cause) || DATA.has(code.slice(0, 2)))
}

/**
 * Returns whether a failed commit was certainly rolled back. An error of class 57 (server shutdown) can arrive after
 * the commit took effect. Within this class, only a statement timeout (57014) means a rollback, because it never
 * interrupts a commit.
 */
function isDefiniteRefusal(error: unknown): boolean {
  const code = getSqlState(error)
  return code !== null && (isStatementCanceled(error) || !(code.startsWith('57') || code.startsWith('08')))
}
