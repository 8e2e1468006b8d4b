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
  client.once('error', () => lost.abort(lostReason))
  // Closes the connection, which releases the lock.
  const release = () => client.release(true)
  try {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${LOCK_IDS[lock]}) as taken`)
    if (!rows[0]?.taken) {
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
