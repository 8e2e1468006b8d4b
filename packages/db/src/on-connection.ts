import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { DatabaseClient } from './client.ts'
import type { Database } from './schema.ts'

/**
 * Runs `work` on one connection of a pool, to which its statements and transactions belong. A connection whose work failed is
 * closed, since it may still wait for an answer, unless `isReusable` says otherwise.
 */
export async function onConnection<T>(
  { pool }: Pick<DatabaseClient, 'pool'>,
  work: (db: Kysely<Database>) => Promise<T>,
  isReusable: (error: unknown) => boolean = () => false,
): Promise<T> {
  const client = await pool.connect()
  let isBroken = true
  try {
    const result = await work(bindConnection(client))
    isBroken = false
    return result
  } catch (error) {
    isBroken = !isReusable(error)
    throw error
  } finally {
    client.release(isBroken)
  }
}

/** Kysely on a single connection, which stays with the caller. */
export function bindConnection(client: pg.PoolClient): Kysely<Database> {
  // Kysely gives the connection back after each statement.
  const held = { query: client.query.bind(client), release: () => {} } as PostgresPoolClient
  const pool = { connect: async () => held, end: async () => {}, options: {} }
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}
