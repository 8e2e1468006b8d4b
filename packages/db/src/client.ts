import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, type TransactionBuilder } from 'kysely'
import pg from 'pg'
import { type BoundedClient, createBoundedClientClass, createTypeParsers } from './bounded-client.ts'
import type { Database, Db } from './schema.ts'
import { isConflict } from './unavailable.ts'

/**
 * Max time to wait for a connection to close, in ms. If the network is down, a connection never reports that it is
 * closed.
 */
const goodbyeMaxMs = 2_000

/** Address of a PostgreSQL server: a URL, or host and credentials. */
export type DatabaseAddress =
  | { readonly connectionString: string }
  | {
      /** Name of a host, or the folder of a Unix socket. */
      readonly host: string
      readonly port: number
      readonly user: string
      readonly password: string
      readonly database: string
    }

/** The limits of a pool. Every wait has a limit, so that one stuck statement never stalls the market. */
export interface ConnectOptions {
  /** Max number of connections (default: 10). */
  readonly poolMax?: number
  /** Name of the connection in `pg_stat_activity` (default: `papermoon`). */
  readonly applicationName?: string
  /** Max time to connect, in ms (default: 5,000). */
  readonly connectTimeoutMs?: number
  /** Max time for a statement, in ms (default: 10,000). */
  readonly statementTimeoutMs?: number
  /**
   * Max delay of a response after the statement timeout, in ms. After this delay, the connection is dropped (default:
   * 5,000).
   */
  readonly answerGraceMs?: number
  /** Max time to wait for a lock, in ms (default: 2,000). */
  readonly lockTimeoutMs?: number
  /** Max time that a transaction can be idle, in ms (default: 10,000). */
  readonly idleInTransactionTimeoutMs?: number
  /** Schema whose tables take precedence over those in `public`, or undefined for none. */
  readonly schema?: string
  /** Called when a connection breaks. The pool replaces the connection by itself. */
  readonly onConnectionError?: (error: Error) => void
}

/** An open database: Kysely, its pool, and `close` for both. */
export interface DatabaseClient {
  readonly address: DatabaseAddress
  readonly db: Db
  readonly pool: pg.Pool
  /** Opens another pool with the same options, except the options given here. */
  reopen(options: ConnectOptions): DatabaseClient
  /** Waits for pending queries, then closes all connections. Further calls do nothing. */
  close(): Promise<void>
}

/**
 * Creates a pool, and a Kysely instance that uses it. The pool connects on first use, so this function neither waits
 * nor throws if the server is down. `onConnectionError` gets broken connections, and they never end the process.
 */
export function connect(address: DatabaseAddress, options: ConnectOptions = {}): DatabaseClient {
  const statementTimeoutMs = options.statementTimeoutMs ?? 10_000
  const pool = new pg.Pool({
    ...address,
    Client: createBoundedClientClass({ statementTimeoutMs, answerGraceMs: options.answerGraceMs ?? 5_000 }),
    max: options.poolMax ?? 10,
    application_name: options.applicationName ?? 'papermoon',
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    statement_timeout: statementTimeoutMs,
    lock_timeout: options.lockTimeoutMs ?? 2_000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 10_000,
    ...(options.schema !== undefined && { options: `-c search_path=${options.schema},public` }),
    keepAlive: true,
    types: createTypeParsers(),
  })
  pool.on('release', (_error, client) => (client as BoundedClient & pg.PoolClient).resetTimeout())
  surviveBrokenConnections(pool, options.onConnectionError ?? (() => {}))
  const openClients = trackClients(pool)
  const db = new RetryingKysely<Database>({ dialect: new PostgresDialect({ pool }) })
  let closing: Promise<void> | undefined
  return {
    address,
    db,
    pool,
    reopen: (others) => connect(address, { ...options, ...others }),
    close: () => {
      closing ??= closePool(db, pool, openClients)
      return closing
    },
  }
}

/**
 * Runs a transaction once more after a deadlock or a serialization failure. Because of the second run, effects of a
 * transaction outside the database may happen twice.
 */
class RetryingKysely<DB> extends Kysely<DB> {
  override transaction(): TransactionBuilder<DB> {
    return withRetry(super.transaction())
  }
}

function withRetry<DB>(builder: TransactionBuilder<DB>): TransactionBuilder<DB> {
  const { execute, setAccessMode, setIsolationLevel } = builder
  return Object.assign(builder, {
    execute: <T>(work: Parameters<typeof execute<T>>[0]): Promise<T> => {
      const run = () => execute.call(builder, work) as Promise<T>
      return run().catch((error: unknown) => {
        if (isConflict(error)) return run()
        throw error
      })
    },
    setAccessMode: (...mode: Parameters<typeof setAccessMode>) => withRetry(setAccessMode.apply(builder, mode)),
    setIsolationLevel: (...level: Parameters<typeof setIsolationLevel>) =>
      withRetry(setIsolationLevel.apply(builder, level)),
  })
}

/**
 * Adds a listener to each client, because an `error` event without a listener ends the process. The pool listens only
 * to its idle clients and repeats their errors, so a client that is in use needs its own listener.
 */
function surviveBrokenConnections(pool: pg.Pool, onConnectionError: (error: Error) => void): void {
  pool.on('connect', (client) => client.on('error', onConnectionError))
  pool.on('error', () => {}) // Ignore the error here, because the client itself has already reported it.
}

function trackClients(pool: pg.Pool): ReadonlySet<pg.PoolClient> {
  const clients = new Set<pg.PoolClient>()
  pool.on('connect', (client) => {
    clients.add(client)
    client.once('end', () => clients.delete(client))
  })
  return clients
}

async function closePool(db: Db, pool: pg.Pool, clients: ReadonlySet<pg.PoolClient>): Promise<void> {
  await db.destroy()
  // Kysely ends the pool only if the pool was used.
  if (!pool.ending) await pool.end()
  // `pool.end` tells each connection to end, but does not wait until it is closed. If the server stopped before the
  // connections are closed, they would be reported as broken.
  const gone = Promise.all([...clients].map((client) => new Promise<void>((resolve) => client.once('end', resolve))))
  await Promise.race([gone, sleep(goodbyeMaxMs, undefined, { ref: false })])
}
