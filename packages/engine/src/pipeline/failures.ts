import {
  getSqlState,
  isConflict,
  isDatabaseFull,
  isDatabaseUnavailable,
  isLockTimeout,
  isStatementCanceled,
} from '@papermoon/db'

/** How the engine reacts to a failed batch. */
export type Remedy =
  /** Conflict with another transaction: run the whole batch again. */
  | 'retry'
  /** A row stayed locked for too long: run the batch again without the locked rows. */
  | 'skip-locked'
  /** The database rejected some data: halve the batch until only the bad order fails. */
  | 'halve'
  /** The database is unavailable or too slow; nothing was written. */
  | 'busy'
  /** The database's disk is full; nothing was written. */
  | 'full'
  /** The connection broke during the commit, so it may or may not have happened. */
  | 'unknown'
  /** A bug in the engine. */
  | 'bug'

/** The statement that commits a batch failed. If PostgreSQL did not respond, the batch may be committed. */
export class CommitFailedError extends Error {
  constructor(cause: unknown) {
    super('the commit was refused or not answered', { cause })
  }
}

/** SQLSTATE of the database function `assert_current`: a row has changed since it was read. */
const STALE = 'PM001'
const UNIQUE_VIOLATION = '23505'
/** SQLSTATE classes for data exceptions and integrity violations. */
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
 * Returns whether a unique index rejected a row. For an order with a new key, this means that the node that generated
 * the key stopped waiting and repeated the order elsewhere.
 */
export function isKeyTaken(error: unknown): boolean {
  return getSqlState(error instanceof CommitFailedError ? error.cause : error) === UNIQUE_VIOLATION
}

/**
 * Returns whether the connection is still usable, because PostgreSQL responded with an error that does not end the
 * session.
 */
export function connectionSurvives(error: unknown): boolean {
  const cause = error instanceof CommitFailedError ? error.cause : error
  const code = getSqlState(cause)
  return code !== null && (code === STALE || isConflict(cause) || isLockTimeout(cause) || DATA.has(code.slice(0, 2)))
}

/**
 * Returns whether a failed commit was certainly rolled back. Class 57 (server shutdown) is not certain, because it may
 * arrive after the commit took effect. A statement timeout (57014) is certain, because it never interrupts a commit.
 */
function isDefiniteRefusal(error: unknown): boolean {
  const code = getSqlState(error)
  return code !== null && (isStatementCanceled(error) || !(code.startsWith('57') || code.startsWith('08')))
}
