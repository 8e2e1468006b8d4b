import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import type { TestContext, TestOptions } from 'vitest'
import { type ConnectOptions, connect, type DatabaseAddress, type DatabaseClient } from './client.ts'
import { withDatabase } from './testing/admin.ts'
import { readTestServer } from './testing/test-server.ts'

export { migrations } from './migrations.ts'
export { startTemporaryServer } from './testing/temporary-server.ts'

/** A migrated database without data. */
export interface TestDatabase extends DatabaseClient {
  readonly address: DatabaseAddress
  /** URL of the database: the DATABASE_URL for servers that a test starts. */
  readonly connectionString: string
  /** Closes the connections and deletes the database. */
  drop(): Promise<void>
}

/**
 * Returns a copy of the migrated template on this run's test server. A copy takes a few ms, so each test file or test
 * can have its own database. The runner's global setup must contain `@papermoon/db/testing/global-setup`.
 */
export async function createTestDatabase(options: ConnectOptions = {}): Promise<TestDatabase> {
  return await createFrom(readTestServer().template, options)
}

/** Creates a database without tables, for tests of migrations. */
export async function createBareDatabase(options: ConnectOptions = {}): Promise<TestDatabase> {
  return await createFrom('template0', options)
}

/**
 * Longer timeouts for tests. On a busy machine, waiting for locks and connections takes longer than a server may wait,
 * and so do statements that add 40,000 rows. With these timeouts, a test may leave a transaction open while it waits.
 */
const PATIENCE = {
  lockTimeoutMs: 10_000,
  connectTimeoutMs: 20_000,
  statementTimeoutMs: 60_000,
  idleInTransactionTimeoutMs: 60_000,
} as const

/** Share one pool for all databases of a process, because opening a connection costs as much as its work. */
let admins: pg.Pool | undefined

async function runAsAdmin(statement: string): Promise<void> {
  admins ??= new pg.Pool({ ...readTestServer().admin, max: 2, idleTimeoutMillis: 0, allowExitOnIdle: true })
    // Ignore errors, because the test server of this run may stop first.
    .on('error', () => {})
  await admins.query(statement)
}

async function createFrom(template: string, options: ConnectOptions): Promise<TestDatabase> {
  const server = readTestServer()
  const name = `${server.prefix}_${randomBytes(6).toString('hex')}`
  // Copy files. The strategy `file_copy` takes two thirds of the default's time, and makes dropping the copy twice as
  // fast.
  await runAsAdmin(`create database ${name} template ${template} strategy file_copy`)
  const address = withDatabase(server.admin, name)
  const client = connect(address, { poolMax: 10, applicationName: 'papermoon-test', ...PATIENCE, ...options })
  return {
    ...client,
    connectionString: toConnectionString(address),
    drop: async () => {
      await client.close()
      await runAsAdmin(`drop database if exists ${name} with (force)`)
    },
  }
}

function toConnectionString(address: DatabaseAddress): string {
  if ('connectionString' in address) return address.connectionString
  const { user, password, database, host, port } = address
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?${new URLSearchParams({ host, port: String(port) })}`
}

declare module 'vitest' {
  interface TaskMeta {
    /** Name of a program that the test needs but the machine lacks. `npm test` lists it at its end. */
    needs?: string
  }
}

/** Returns options that skip a test or suite if the machine lacks `what`. `npm test` lists such programs at its end. */
export function needs(what: string, isThere: boolean): Pick<TestOptions, 'skip' | 'meta'> {
  return isThere ? {} : { skip: true, meta: { needs: what } }
}

/** Skips a running test because the machine lacks `what`. */
export function skipLacking({ task, skip }: TestContext, what: string): never {
  task.meta.needs = what
  return skip(what)
}

/**
 * Environment of servers and commands that tests start. Node caches compiled modules in this folder, so every start
 * except the first takes a third less time. The folder is outside the packages' folders, so that every user and every
 * copy of the repository has one.
 */
export const compileCache: Readonly<Record<'NODE_COMPILE_CACHE', string>> = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/compiled'),
}

/**
 * First port for tests. The range is below the ports for outgoing connections, so that a port stays free while its
 * program is down.
 */
const FROM = 15_000
const TO = 30_000

/** Finds this many consecutive free ports, and returns the first. */
export async function findFreePorts(count: number): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const first = FROM + Math.floor(Math.random() * (TO - FROM - count))
    const ports = Array.from({ length: count }, (_, i) => first + i)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first
  }
  throw new Error(`there are no ${count} free ports in a row`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
