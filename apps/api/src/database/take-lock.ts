import type pg from 'pg'
import { LOCK_IDS } from './lock-ids.ts'

/** A lock that this process holds. It belongs to a connection, so it ends with the process even in a crash. */
export interface HeldLock {
  /** Aborted when the connection breaks: others may hold the lock then. */
  readonly lost: AbortSignal
  /** Whether it is held: of a dead network a connection hears only when it is used. */
  check(): Promise<boolean>
  release(): void
}

/** Takes a lock that all processes of a database share; null if another one holds it. `lostReason` is that of `lost`. */
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

/** Does work while this process holds a lock; null if another one holds it. The signal is aborted when the lock is lost. */
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

/** A task that one process of a database does at a time. */
export class SoleTask {
  readonly #pool: pg.Pool
  readonly #lock: keyof typeof LOCK_IDS
  #held: HeldLock | null = null

  constructor(pool: pg.Pool, lock: keyof typeof LOCK_IDS) {
    this.#pool = pool
    this.#lock = lock
  }

  /** Whether the task is this process's: it takes what nobody has. Where that cannot be checked, another may have it by now. */
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
