import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { TestContext, TestOptions } from 'vitest'
import { type ConnectOptions, connect, createKysely, type DatabaseAddress, type DatabaseClient } from './client.ts'
import { withDatabase } from './testing/admin.ts'
import { RESET_SESSION, type Reset, resetDatabase } from './testing/reset.ts'
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
 * Returns a copy of the migrated template on this run's test server, or one that an earlier test has dropped. Either
 * takes a few ms, so each test file or test can have its own database. The runner's global setup must contain
 * `@papermoon/db/testing/global-setup`.
 */
export async function createTestDatabase(options: ConnectOptions = {}): Promise<TestDatabase> {
  const { template, reset } = readTestServer()
  const isUsual = Object.keys(options).length === 0
  return reset !== null && isUsual ? await reuse(reset) : await createFrom(template, options)
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
  const { name, ...client } = await copy(template, options)
  return {
    ...client,
    connectionString: toConnectionString(client.address),
    drop: async () => {
      await client.close()
      await dropDatabase(name)
    },
  }
}

/** An open copy of a template. */
interface Copy extends DatabaseClient {
  readonly name: string
}

async function copy(template: string, options: ConnectOptions): Promise<Copy> {
  const server = readTestServer()
  const name = `${server.prefix}_${randomBytes(6).toString('hex')}`
  // Copy files. The strategy `file_copy` takes two thirds of the default's time, and makes dropping the copy twice as
  // fast.
  await runAsAdmin(`create database ${name} template ${template} strategy file_copy`)
  const address = withDatabase(server.admin, name)
  const client = connect(address, { poolMax: 10, applicationName: 'papermoon-test', ...PATIENCE, ...options })
  return { ...client, name }
}

const dropDatabase = (name: string) => runAsAdmin(`drop database if exists ${name} with (force)`)

/** A copy of the template that tests use one after another, with its open pools. */
interface Spare extends Copy {
  readonly others: OtherPool[]
}

/** A pool that `reopen` opened with these options. */
interface OtherPool {
  readonly options: string
  readonly client: DatabaseClient
  isLent: boolean
}

/** Used copies that were made equal to a new one. */
const spares: Spare[] = []
const SPARES_MAX = 2

/**
 * Reuses a copy, because most of the cost of a new one is that of its connections: PostgreSQL starts a process for
 * each. The views of its pools are new, so that whatever still runs when a test drops the database cannot reach the
 * next test.
 */
async function reuse(reset: Reset): Promise<TestDatabase> {
  const spare = spares.pop() ?? { ...(await copy(readTestServer().template, {})), others: [] }
  const own = lend(spare)
  const drop = async () => {
    await own.close()
    const all = [spare, ...spare.others.map(({ client }) => client)]
    const isFree = spares.length < SPARES_MAX && spare.others.every(({ isLent }) => !isLent)
    if (
      isFree &&
      (await resetDatabase(
        all.map(({ pool }) => pool),
        reset,
      ))
    ) {
      spares.push(spare)
      return
    }
    for (const { close } of all) await close()
    await dropDatabase(spare.name)
  }
  let dropping: Promise<void> | undefined
  return {
    ...own,
    reopen: (options) => reopen(spare, options),
    connectionString: toConnectionString(spare.address),
    drop: () => {
      dropping ??= drop()
      return dropping
    },
  }
}

function reopen(spare: Spare, wanted: ConnectOptions): DatabaseClient {
  const options = JSON.stringify(wanted)
  let other = spare.others.find((each) => each.options === options && !each.isLent)
  if (other === undefined) {
    other = { options, client: spare.reopen(wanted), isLent: true }
    spare.others.push(other)
  }
  const taken = Object.assign(other, { isLent: true })
  return lend(taken.client, () => {
    taken.isLent = false
  })
}

function lend(client: DatabaseClient, onClose = () => {}): DatabaseClient {
  const pool = lendPool(client.pool)
  const close = async () => {
    await pool.end()
    onClose()
  }
  return { ...client, pool, db: createKysely(pool), close }
}

/**
 * A view of a pool that opens no connections after its `end`, while the pool keeps its own. The pool also keeps healthy
 * connections that are released to be closed.
 */
function lendPool(pool: pg.Pool): pg.Pool {
  let isOver = false
  type Connect = (callback?: (error: Error) => void) => unknown
  const connect: Connect = (callback) => {
    if (!isOver) return callback === undefined ? pool.connect().then(keepOpen) : (pool.connect as Connect)(callback)
    const error = new Error('Cannot use a pool after calling end on the pool')
    return callback === undefined ? Promise.reject(error) : callback(error)
  }
  const end = async () => {
    isOver = true
    while (pool.totalCount > pool.idleCount || pool.waitingCount > 0) await sleep(1)
  }
  return Object.create(pool, {
    connect: { value: connect, writable: true },
    end: { value: end, writable: true },
    ending: { get: () => isOver },
    ended: { get: () => isOver },
  })
}

function keepOpen(client: pg.PoolClient): pg.PoolClient {
  const listeners = new Set(client.listeners('end'))
  const { release } = client
  client.release = (destroy) => {
    const { readyForQuery } = client as pg.PoolClient & { readonly readyForQuery: boolean }
    if (destroy !== true || !readyForQuery || client.getTransactionStatus() !== 'I') return release(destroy)
    for (const listener of client.listeners('end'))
      if (!listeners.has(listener)) client.off('end', listener as () => void)
    client.query(RESET_SESSION).then(() => release(), release)
  }
  return client
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
