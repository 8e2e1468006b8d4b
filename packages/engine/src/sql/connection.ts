import type pg from 'pg'
import type { Logger } from 'pino'
import { BusyError, DiskFullError } from '../errors.ts'
import { connectionSurvives, remedyFor } from '../pipeline/failures.ts'
import { rollback } from './read.ts'

interface ConnectionOptions {
  readonly pool: pg.Pool
  readonly log: Logger
  /** Max time to wait for a locked row, in ms. */
  readonly lockTimeoutMs: number
}

/** A long-lived connection for the engine, which is replaced if it breaks. */
export class EngineConnection {
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #lockTimeoutMs: number
  #client: pg.PoolClient | null = null
  /**
   * Whether the disk was full at the last write. If a full disk stops PostgreSQL, later errors do not mention the disk.
   */
  #isDiskFull = false
  #opening: Promise<pg.PoolClient> | null = null

  constructor({ pool, log, lockTimeoutMs }: ConnectionOptions) {
    this.#pool = pool
    this.#log = log
    this.#lockTimeoutMs = lockTimeoutMs
  }

  /**
   * Opens the connection if it is not open. Concurrent calls share one connection. The call rejects if the database is
   * unavailable.
   */
  async client(): Promise<pg.PoolClient> {
    if (this.#client !== null) return this.#client
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null
    })
    return await this.#opening
  }

  /** Opens the connection if it is not open, or resolves to false if the database is unavailable. Never rejects. */
  async connect(): Promise<boolean> {
    try {
      await this.client()
    } catch (error) {
      this.#log.warn({ err: error }, 'no connection for a batch')
    }
    return this.#client !== null
  }

  /** Rolls back after a failure, or discards an unusable connection. Never rejects. */
  async recover(error: unknown): Promise<void> {
    if (remedyFor(error) === 'full') this.#isDiskFull = true
    const client = this.#client
    if (client === null) return
    if (connectionSurvives(error) && (await tryRollback(client))) return
    this.#discard(client)
  }

  noteWritten(): void {
    this.#isDiskFull = false
  }

  /** Creates the error for orders while nothing can be written. */
  createRefusal(): BusyError {
    return this.#isDiskFull ? new DiskFullError() : new BusyError()
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => {})
    if (this.#client !== null) this.#discard(this.#client)
  }

  async #open(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect()
    try {
      await configureConnection(client, this.#lockTimeoutMs)
    } catch (error) {
      client.release(true)
      throw error
    }
    // If an idle connection breaks, drop it, because the next batch opens another one.
    client.once('end', () => this.#discard(client))
    this.#client = client
    return client
  }

  /** Closes the connection through the pool, if it is still open. */
  #discard(client: pg.PoolClient): void {
    if (this.#client !== client) return
    this.#client = null
    client.release(true)
  }
}

/**
 * Rolls back the open transaction. If no transaction is open, sends nothing, because PostgreSQL would log a warning.
 */
async function tryRollback(client: pg.PoolClient): Promise<boolean> {
  try {
    if (client.getTransactionStatus() !== 'I') await rollback(client)
    return true
  } catch {
    return false
  }
}

/** Default max time to wait for a locked row, in ms. */
export const LOCK_TIMEOUT_MS = 500

/**
 * Configures a connection for the engine's statements. PostgreSQL plans each statement only once, so each must access
 * rows by key through an index. If a sequential scan was planned while a table was small, it would be used for the
 * connection's whole life.
 */
export async function configureConnection(client: pg.ClientBase, lockTimeoutMs = LOCK_TIMEOUT_MS): Promise<void> {
  // If another session locks a row, the market waits only once for this time. After this time, batches skip the row.
  await client.query([`set lock_timeout = ${lockTimeoutMs}`, ...SETTINGS].join(';'))
}

const SETTINGS = [
  'set plan_cache_mode = force_generic_plan',
  'set enable_seqscan = off',
  'set enable_hashjoin = off',
  'set enable_mergejoin = off',
  // Switch memoize off, because it does not help: a statement rarely looks up the same row twice.
  'set enable_memoize = off',
]
