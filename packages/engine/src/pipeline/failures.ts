import { getSqlState, isDatabaseAway } from '@papermoon/db'

/** What a failed batch calls for. */
export type Remedy =
  /** Somebody else was in the way: run it whole again. */
  | 'retry'
  /** Somebody held a row for too long: run it again without the rows that are held. */
  | 'skip-locked'
  /** The database refuses some of the data: halve the batch until only the bad order fails. */
  | 'halve'
  /** The database is away, or too slow: nothing was done, say so. */
  | 'busy'
  /** The connection broke in the commit: nobody knows. */
  | 'unknown'
  /** A bug of ours. */
  | 'bug'

/** What commits a batch was sent, and failed: with PostgreSQL's refusal, or without an answer, and then the batch may stand or not. */
export class CommitUnansweredError extends Error {
  constructor(cause: unknown) {
    super('a batch was not committed, or nobody said so', { cause })
  }
}

/** Of `assert_current`: a row has changed since it was read. */
const STALE = 'PM001'
const RETRIED = new Set(['40001', '40P01', STALE])
const LOCK_NOT_AVAILABLE = '55P03'
const CANCELLED = '57014'
/** Classes of SQLSTATE: data exception, integrity violation. */
const DATA = new Set(['22', '23'])

/** Sorts a batch's failure by what to do about it. */
export function remedyFor(error: unknown): Remedy {
  if (error instanceof CommitUnansweredError) return isAnswer(error.cause) ? remedyFor(error.cause) : 'unknown'
  if (isDatabaseAway(error)) return 'busy'
  const code = getSqlState(error)
  if (code === null) return 'bug'
  if (RETRIED.has(code)) return 'retry'
  if (code === LOCK_NOT_AVAILABLE) return 'skip-locked'
  return DATA.has(code.slice(0, 2)) ? 'halve' : 'bug'
}

/** Whether a row that the batch took for known was changed by somebody else. */
export function isStale(error: unknown): boolean {
  return error instanceof CommitUnansweredError ? isStale(error.cause) : getSqlState(error) === STALE
}

/** Whether the connection can still be used after this failure (it answered, and was not told to go). */
export function connectionSurvives(error: unknown): boolean {
  const cause = error instanceof CommitUnansweredError ? error.cause : error
  const code = getSqlState(cause)
  return code !== null && (RETRIED.has(code) || code === LOCK_NOT_AVAILABLE || DATA.has(code.slice(0, 2)))
}

/**
 * A refused commit is an answer: it is rolled back. A server that is shutting down may have committed
 * before it said so, so class 57 counts as none, but for a statement that took too long: no commit is ever cut off by that.
 */
function isAnswer(error: unknown): boolean {
  const code = getSqlState(error)
  return code !== null && (code === CANCELLED || !(code.startsWith('57') || code.startsWith('08')))
}
