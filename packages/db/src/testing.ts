import { randomBytes } from 'node:crypto'
import { type ConnectOptions, connect, type DatabaseAddress, type DatabaseClient } from './client.ts'
import { asAdmin, withDatabase } from './testing/admin.ts'
import { readTestServer } from './testing/test-server.ts'

export { migrations } from './migrations.ts'
export { compileCache } from './testing/compile-cache.ts'
export { findFreePorts } from './testing/free-ports.ts'
export { needs, skipLacking } from './testing/needs.ts'
export { startTemporaryServer } from './testing/temporary-server.ts'

/** A migrated, empty database. */
export interface TestDatabase extends DatabaseClient {
  readonly address: DatabaseAddress
  /** The same address as a URL: the DATABASE_URL of servers that a test starts. */
  readonly connectionString: string
  /** Closes the connections and deletes the database. */
  drop(): Promise<void>
}

/**
 * Creates a copy of the migrated template on the run's test server. Takes about 20 ms, so each test file (or test) can have
 * its own. Needs `@papermoon/db/testing/global-setup` in the runner's global setup.
 */
export async function createTestDatabase(options: ConnectOptions = {}): Promise<TestDatabase> {
  return await createFrom(readTestServer().template, options)
}

/** Creates a database without tables, for tests of migrations. */
export async function createBareDatabase(options: ConnectOptions = {}): Promise<TestDatabase> {
  return await createFrom('template0', options)
}

/**
 * On a loaded machine a queue of locks or connections takes longer than a server may wait, a statement that adds 40,000 rows
 * longer than one may run, and a test takes long to see what it waits for within a transaction.
 */
const PATIENCE = {
  lockTimeoutMs: 10_000,
  connectTimeoutMs: 20_000,
  statementTimeoutMs: 60_000,
  idleInTransactionTimeoutMs: 60_000,
} as const

async function createFrom(template: string, options: ConnectOptions): Promise<TestDatabase> {
  const server = readTestServer()
  const name = `${server.prefix}_${randomBytes(6).toString('hex')}`
  // Copying files takes two thirds of the time that the default takes, and dropping the copy half.
  await asAdmin(server.admin, (admin) => admin.query(`create database ${name} template ${template} strategy file_copy`))
  const address = withDatabase(server.admin, name)
  const client = connect(address, { poolMax: 5, applicationName: 'papermoon-test', ...PATIENCE, ...options })
  return {
    ...client,
    address,
    connectionString: toConnectionString(address),
    drop: async () => {
      await client.close()
      await asAdmin(server.admin, (admin) => admin.query(`drop database if exists ${name} with (force)`))
    },
  }
}

function toConnectionString(address: DatabaseAddress): string {
  if ('connectionString' in address) return address.connectionString
  const { user, password, database, host, port } = address
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?${new URLSearchParams({ host, port: String(port) })}`
}
