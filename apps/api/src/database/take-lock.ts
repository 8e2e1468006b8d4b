import type pg from 'pg'

/**
 * Ids of PostgreSQL's advisory locks, which all processes on a database share. Never change an id after a release,
 * because an older and a newer version could then do the same work at the same time.
 */
export const LOCK_IDS = {
  /** Lock for closing a window of the giveaway. */
  windowClosing: 727_466_005,
  /** Lock for replaying the journal for the audit. */
  auditReplay: 727_466_008,
  /** Lock for publishing the chains' last hashes. */
  publishing: 727_466_009,
  /** Lock for taking a backup. */
  backupTaking: 727_466_012,
  /** Lock for running the backup schedule. */
  backupKeeping: 727_466_013,
  /** Lock for running the demo world. The process that runs the demo world holds the lock until it ends. */
  demoKeeping: 727_466_014,
  /** Lock for running house bots in fairs. A node holds the lock while a fair with house bots is open. */
  fairBots: 727_466_015,
  /** Lock for appending to the moderation log. */
  moderationLog: 727_466_016,
  /** Lock for checking the quota of all uploads. */
  uploadQuota: 7_261_903,
} as const

/**
 * A lock that this process holds. The lock belongs to a database connection, so it ends with the process, even after a
 * crash.
 */
export interface HeldLock {
  /** The signal is aborted when the connection breaks, because another process may then take the lock. */
  readonly lost: AbortSignal
  /** Checks whether the lock is still held. A broken network is noticed only when the connection is used. */
  check(): Promise<boolean>
  release(): void
}

/**
 * Takes a lock that all processes on a database share; returns null if another process holds it. When the lock is lost,
 * the signal `lost` is aborted with the reason `lostReason`.
 */
export async function takeLock(
  pool: pg.Pool,
  lock: keyof typeof LOCK_IDS,
  lostReason?: Error,
): Promise<HeldLock | null> {
  const client = await pool.connect()
  const lost = new AbortController()
  const lose = () => lost.abort(lostReason)
  client.once('error', lose)
  // Closes the connection, which releases the lock.
  const release = () => client.release(true)
  try {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${LOCK_IDS[lock]}) as taken`)
    if (!rows[0]?.taken) {
      client.off('error', lose)
      client.release()
      return null
    }
  } catch (error) {
    release()
    throw error
  }
  const isAnswered = () =>
    client.query('select 1').then(
      () => true,
      () => false,
    )
  return { lost: lost.signal, release, check: async () => (await isAnswered()) && !lost.signal.aborted }
}

/**
 * Does work while this process holds a lock; returns null if another process holds it. The signal is aborted when the
 * lock is lost.
 */
export async function whileLocked<T>(
  pool: pg.Pool,
  lock: keyof typeof LOCK_IDS,
  work: (lost: AbortSignal) => Promise<T>,
  lostReason?: Error,
): Promise<{ readonly result: T } | null> {
  const held = await takeLock(pool, lock, lostReason)
  if (held === null) return null
  try {
    return { result: await work(held.lost) }
  } finally {
    held.release()
  }
}

/** A task that only one process on a database runs at a time. */
export class SoleTask {
  readonly #pool: pg.Pool
  readonly #lock: keyof typeof LOCK_IDS
  #held: HeldLock | null = null

  constructor(pool: pg.Pool, lock: keyof typeof LOCK_IDS) {
    this.#pool = pool
    this.#lock = lock
  }

  /**
   * Returns whether this process runs the task. If no process runs the task, this process takes it over. Returns false
   * if the lock cannot be checked, because another process may have taken the task over.
   */
  async isOurs(): Promise<boolean> {
    try {
      this.#held ??= await takeLock(this.#pool, this.#lock)
      if (this.#held === null || (await this.#held.check())) return this.#held !== null
    } catch {
      return false
    }
    this.leave()
    return false
  }

  leave(): void {
    this.#held?.release()
    this.#held = null
  }
}
