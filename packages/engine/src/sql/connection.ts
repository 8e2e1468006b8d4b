import type pg from 'pg'
import type { Logger } from 'pino'
import { connectionSurvives } from '../pipeline/failures.ts'
import { rollback } from './read.ts'
import { prepareSession } from './session.ts'

/** A connection that the engine keeps, and replaces when it breaks. */
export class EngineConnection {
  readonly #pool: pg.Pool
  readonly #log: Logger
  #client: pg.PoolClient | null = null
  #opening: Promise<pg.PoolClient> | null = null

  constructor({ pool, log }: { readonly pool: pg.Pool; readonly log: Logger }) {
    this.#pool = pool
    this.#log = log
  }

  /** Rejects where there is none to be had. Whoever asks while it is being opened gets the same. */
  async client(): Promise<pg.PoolClient> {
    if (this.#client !== null) return this.#client
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null
    })
    return await this.#opening
  }

  /** Sees to a connection for the next batch. Never rejects; false where there is none to be had. */
  async connect(): Promise<boolean> {
    try {
      await this.client()
    } catch (error) {
      this.#log.warn({ err: error }, 'no connection for a batch')
    }
    return this.#client !== null
  }

  /** After a failure: a connection that answers is rolled back and kept, any other is thrown away. Never rejects. */
  async recover(error: unknown): Promise<void> {
    const client = this.#client
    if (client === null) return
    if (connectionSurvives(error) && (await rolledBack(client))) return
    this.#discard(client)
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => {})
    if (this.#client !== null) this.#discard(this.#client)
  }

  async #open(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect()
    try {
      await prepareSession(client)
    } catch (error) {
      client.release(true)
      throw error
    }
    // A connection that breaks while idle is replaced by the next batch, not found broken by it.
    client.once('end', () => this.#discard(client))
    this.#client = client
    return client
  }

  /** Back to the pool to be closed; a client is given back once, whoever notices first. */
  #discard(client: pg.PoolClient): void {
    if (this.#client !== client) return
    this.#client = null
    client.release(true)
  }
}

async function rolledBack(client: pg.ClientBase): Promise<boolean> {
  try {
    await rollback(client)
    return true
  } catch {
    return false
  }
}
