import type pg from 'pg'
import { LOCK_IDS } from '../database/lock-ids.ts'

/**
 * Makes one node at a time the keeper of a database's demo world. The lock belongs to a connection, so it ends with the
 * process even in a crash.
 */
export class KeeperLock {
  readonly #pool: pg.Pool
  #client: pg.PoolClient | null = null

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Takes the lock if it is free, and checks that a lock taken earlier is still held. */
  async hold(): Promise<boolean> {
    if (this.#client !== null) return await this.#check(this.#client)
    const client = await this.#pool.connect()
    try {
      const { rows } = await client.query<{ taken: boolean }>(
        `select pg_try_advisory_lock(${LOCK_IDS.demoKeeping}) as taken`,
      )
      if (rows[0]?.taken !== true) {
        client.release()
        return false
      }
    } catch (error) {
      client.release(true)
      throw error
    }
    client.on('error', () => this.release())
    this.#client = client
    return true
  }

  release(): void {
    const client = this.#client
    this.#client = null
    // Closes the connection, which releases the lock.
    client?.release(true)
  }

  async #check(client: pg.PoolClient): Promise<boolean> {
    try {
      await client.query('select 1')
      return this.#client === client
    } catch {
      this.release()
      return false
    }
  }
}
