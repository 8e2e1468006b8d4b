import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  acquireDataDirLock,
  connect,
  type DatabaseAddress,
  type DatabaseClient,
  DatabaseSetupError,
  migrateToLatest,
  startEmbedded,
} from '@papermoon/db'
import type { Logger } from 'pino'
import { collectDefaultMetrics } from 'prom-client'
import { buildApp } from './app.ts'
import { type Config, ConfigError, loadConfig } from './config.ts'
import type { App } from './context.ts'
import { writePost } from './features/talk/write-post.ts'
import type { WriteLine } from './house/bot-talk.ts'
import { beginDemoWorld, findDemoWorld } from './house/demo-world.ts'
import { openMetricsPort } from './http/metrics.ts'
import { logUnfinishedWork } from './http/unfinished-work.ts'
import { disposeAll } from './lib/teardown.ts'
import { createLog, isTerminal } from './log.ts'
import { describeStart, describeWrittenHistory, listWarnings } from './start-messages.ts'

const WEB_ROOT = join(import.meta.dirname, '../../web/dist')
const SHUTDOWN_MAX_MS = 15_000
const CONNECTIONS_MAX = 20

/** A failure whose cause the operator can fix. The operator sees only the failure's message, not its stack. */
class StartError extends Error {}

const teardown = new AsyncDisposableStack()
/**
 * Makes `/readyz` fail, so that load balancers remove this server before it stops. The function is undefined until the
 * server listens.
 */
let drain: (() => Promise<void>) | undefined
/**
 * With `--after-build`, the parent process builds the web app while the server starts. The first message of the parent
 * process says whether the build succeeded.
 */
const isAfterBuild = process.argv.includes('--after-build')
const stopWaiting = new AbortController()
const firstMessage = isAfterBuild
  ? once(process, 'message', { signal: stopWaiting.signal }).then(
      ([message]) => message,
      () => 'stopped',
    )
  : 'built'
const hurry = new AbortController()
let draining: Promise<void> | undefined
let starting: Promise<void> | undefined
let shuttingDown: Promise<void> | undefined

await run()

async function run(): Promise<void> {
  try {
    const config = loadConfig()
    const log = await createLog(config.logLevel)
    shutDownOnSignals(log)
    starting = start(config, log)
    await starting
  } catch (error) {
    process.stderr.write(`${describeError(error)}\n`)
    await shutDown(1)
  }
}

/** Starts the server. Each step of the start registers a teardown. The teardowns run in reverse order. */
async function start(config: Config, log: Logger): Promise<void> {
  const lock = acquireDataDirLock(config.dataDir)
  teardown.defer(async () => lock.release())
  // Log the warnings after taking the lock, so that a second start on the same folder prints only the error about the
  // lock.
  logWarnings(config, log)
  const address = await findDatabase(config, log)
  if (shuttingDown !== undefined) return
  const database = openDatabase(address, log)
  await migrateToLatest(database.db).catch((error) => {
    throw toDatabaseError(error, config)
  })
  if (shuttingDown !== undefined || !(await waitForPages())) return
  // Begin the demo world before anyone can register.
  const hasBegun = config.demo && (await beginDemoWorld(database.db, randomInt(2 ** 31)))
  const { app, port } = await listen(config, log, database)
  if (shuttingDown !== undefined) return
  await announce({ config, log, app, port, hasBegun })
  await keepDemoWorld({ app, database, port, hasBegun })
  if (shuttingDown !== undefined) return
  const { startFairBots } = await import('./house/fair-bots.ts')
  const fairBots = startFairBots({ app, pool: database.pool, writeLine: createWriteLine(app) })
  teardown.defer(() => fairBots.stop())
}

interface Served {
  readonly config: Config
  readonly log: Logger
  readonly app: App
  readonly port: number
  /** Whether the history of a demo world must be written. */
  readonly hasBegun: boolean
}

/**
 * Prints the URLs of the server and of its metrics. If the public port does not serve the metrics, opens a separate
 * port for them.
 */
async function announce({ config, log, app, port, hasBegun }: Served): Promise<void> {
  const metrics = config.metricsToken !== null ? null : await openMetricsPort(() => app.platform.metrics.metrics())
  if (metrics !== null) teardown.defer(() => metrics.close())
  const address = `http://${toShownHost(config.host)}:${port}`
  const metricsAddress = metrics?.address ?? null
  const isTerminal = process.stdout.isTTY
  if (!isTerminal && metricsAddress !== null) log.info({ address: metricsAddress }, 'metrics, for this machine alone')
  process.stdout.write(describeStart({ address, config, hasBegun, metricsAddress, isTerminal }))
}

function openDatabase(address: DatabaseAddress, log: Logger): DatabaseClient {
  const database = connect(address, {
    poolMax: CONNECTIONS_MAX,
    onConnectionError: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  teardown.defer(() => database.close())
  return database
}

async function findDatabase(config: Config, log: Logger): Promise<DatabaseAddress> {
  if (config.databaseUrl !== null) return { connectionString: config.databaseUrl }
  const postgres = await startEmbedded({
    dataDir: config.dataDir,
    onUnexpectedEnd: ({ reason, willRestart }) => {
      log.error({ reason, willRestart }, 'PostgreSQL ended by itself')
      if (!willRestart) void shutDown(1)
    },
    onRestarted: () => log.info('PostgreSQL is back'),
  })
  teardown.defer(() => postgres.stop())
  return postgres.address
}

interface Listening {
  readonly app: App
  readonly port: number
}

async function listen(config: Config, log: Logger, database: DatabaseClient): Promise<Listening> {
  const webRoot = existsSync(WEB_ROOT) ? WEB_ROOT : null
  const { level } = log
  // On a terminal, print plain sentences instead of log lines from here on.
  if (isTerminal && level === 'info') log.level = 'warn'
  const terminal = process.stdout.isTTY ? process.stdout : null
  const built = await buildApp({ config, database, log, webRoot, terminal })
  const { app, fastify } = built
  teardown.defer(() => fastify.close())
  drain = async () => {
    app.platform.draining.abort()
    if (config.drainSeconds === 0) return
    await sleep(config.drainSeconds * 1_000, undefined, { signal: hurry.signal }).catch(() => {})
    if (!hurry.signal.aborted) await logUnfinishedWork(built, log)
  }
  collectDefaultMetrics({ register: app.platform.metrics })
  await fastify
    .listen({ port: config.port, host: config.host, listenTextResolver: (address) => `listening at ${address}` })
    .catch((error) => {
      throw toStartError(error, config)
    })
  log.level = level
  const [bound] = fastify.addresses()
  return { app, port: typeof bound === 'object' ? bound.port : config.port }
}

/** Writes the posts of house bots. */
function createWriteLine(app: App): WriteLine {
  return (userId, tokenId, text) =>
    writePost({ app, ip: '', header: () => {}, userId }, { tokenId, text, mentions: [] })
}

/**
 * Runs the demo world. The code is loaded only if there is a demo world, and only after the first page can be served.
 */
async function keepDemoWorld(
  server: Listening & { readonly database: DatabaseClient; readonly hasBegun: boolean },
): Promise<void> {
  const { app, database, hasBegun } = server
  if (!app.platform.config.demo || (await findDemoWorld(app.platform.db)) === null) return
  const { startDemoWorld } = await import('./house/start-demo-world.ts')
  if (shuttingDown !== undefined) return
  const keeper = startDemoWorld({
    app,
    pool: database.pool,
    hasBegun,
    writeLine: createWriteLine(app),
    onWritten: (figures) => {
      app.platform.log.info(figures, 'the history of the demo world is written')
      if (process.stdout.isTTY) process.stdout.write(describeWrittenHistory(figures))
    },
  })
  teardown.defer(() => keeper.stop())
}

function toStartError(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  if (error.code === 'EADDRINUSE') return new StartError(`Port ${port} is already in use; set another PORT.`)
  if (error.code === 'EACCES') return new StartError(`Port ${port} may not be used by this user; set another PORT.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StartError(`This machine has no address ${host}; set another HOST.`)
  }
  return error
}

/**
 * Converts a database error to an error for the operator. The operator can fix an external database that is down or
 * rejects the connection. A failure of the embedded database is a bug.
 */
function toDatabaseError(error: NodeJS.ErrnoException, { databaseUrl }: Config): Error {
  const isUnusable = /^(E[A-Z_]+|08.{3}|28.{3}|3D000|53300|57P0.)$/.test(error.code ?? '')
  if (databaseUrl === null || !isUnusable) return error
  return new StartError(`The database of DATABASE_URL cannot be used: ${error.message || error.code}.`)
}

/** Returns the host name to print. Loopback and wildcard addresses become localhost, which a browser can open. */
function toShownHost(host: string): string {
  if (/^(127\.0\.0\.1|0\.0\.0\.0|::1?)$/.test(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function describeError(error: unknown): string {
  const isPlain = [ConfigError, DatabaseSetupError, StartError].some((kind) => error instanceof kind)
  if (!(error instanceof Error)) return String(error)
  return isPlain ? error.message : (error.stack ?? error.message)
}

/** Prints warnings as plain sentences on a terminal, otherwise as log lines. */
function logWarnings(config: Config, log: Logger): void {
  for (const warning of listWarnings(config)) {
    if (isTerminal && log.isLevelEnabled('warn')) process.stderr.write(`Warning: ${warning}\n`)
    else log.warn(warning)
  }
}

/** Waits for the web app's build. Shuts down the server if the build failed. */
async function waitForPages(): Promise<boolean> {
  const isBuilt = (await firstMessage) === 'built'
  if (!isBuilt) void shutDown(1)
  return isBuilt
}

function shutDownOnSignals(log: Logger): void {
  // Expect the same signal a second time. A terminal sends Ctrl-C to npm and to this process, and npm forwards it.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stopNow())
  // Ignore a second SIGTERM. A service manager sends it to npm and to this process.
  process.on('SIGTERM', () => void drainAndStop())
  // End this process when its parent process ends.
  process.on('disconnect', () => void shutDown(0))
  // Ignore a closed output pipe, because the server can run without it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const die = (error: unknown) => {
    log.fatal({ err: error }, 'unhandled error')
    void shutDown(1)
  }
  process.on('uncaughtException', die)
  process.on('unhandledRejection', die)
}

/** Keeps responding for `DRAIN_SECONDS`, then shuts down. */
async function drainAndStop(): Promise<void> {
  draining ??= drain?.() ?? Promise.resolve()
  await draining
  await shutDown(0)
}

async function stopNow(): Promise<void> {
  hurry.abort()
  await shutDown(0)
}

/** Runs the teardown and exits the process within `SHUTDOWN_MAX_MS`. Further calls do nothing. */
function shutDown(exitCode: 0 | 1): Promise<void> {
  shuttingDown ??= (async () => {
    setTimeout(() => process.exit(1), SHUTDOWN_MAX_MS).unref()
    stopWaiting.abort()
    // Wait for the start to end, because a database that is still starting would otherwise be left running.
    await starting?.catch(() => {})
    const errors = await disposeAll(teardown)
    for (const error of errors) process.stderr.write(`${describeError(error)}\n`)
    process.exit(errors.length > 0 ? 1 : exitCode)
  })()
  return shuttingDown
}
