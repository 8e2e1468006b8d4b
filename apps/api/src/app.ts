import cookie from '@fastify/cookie'
import type { DatabaseClient } from '@papermoon/db'
import {
  type Clock,
  type EngineLimits,
  systemClock,
  systemTimers,
  type Timers,
  type TradingEngine,
} from '@papermoon/engine'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import type { Config } from './config.ts'
import type { App, Platform, Terminal } from './context.ts'
import { registerReplicationMetrics } from './database/replication-metrics.ts'
import type { RedisRelay } from './events/redis-relay.ts'
import { Sessions } from './features/account/credentials.ts'
import { ApiKeys } from './features/account/keys/api-keys.ts'
import { createPasswordHasher, type PasswordRunner } from './features/account/password/passwords.ts'
import { NoticeFeed } from './features/notices/notice-feed.ts'
import { ResponseCache, ResponseCompressor, respondFromCache } from './http/calls/response-cache.ts'
import { readYourWrites } from './http/calls/seen.ts'
import { createFastify } from './http/create-fastify.ts'
import { accountExports } from './http/files/account-exports.ts'
import { objects } from './http/files/objects.ts'
import { health, metrics } from './http/metrics.ts'
import { ogPictures } from './http/og/pictures.ts'
import { guidePages } from './http/pages/guide-documents.ts'
import { wellKnown } from './http/pages/well-known.ts'
import { asyncApi } from './http/rest/asyncapi/mount.ts'
import { restMount } from './http/rest/mount.ts'
import { security } from './http/security/security.ts'
import { connectionCapacity, connectionLimits } from './http/sockets/connection-limits.ts'
import { eventSocket, eventSource } from './http/sockets/event-source.ts'
import { liveSockets } from './http/sockets/live-sockets.ts'
import { traceRequests } from './http/trace-requests.ts'
import { trpcMount } from './http/trpc/mount.ts'
import { hasPage, webAssets } from './http/web-assets.ts'
import type { Mailer } from './mailer.ts'
import { registerOperationMetrics } from './operation-metrics.ts'
import { type OutboundRules, publicOnly } from './security/outbound.ts'
import { createProofOfWork, type DrawCounter } from './security/proof-of-work/proof-of-work.ts'
import { createRateLimits, noRateLimits } from './security/rate-limits.ts'
import { createSecretBox, loadServerKey } from './security/secret-box.ts'
import { createSecurityLog } from './security/security-log.ts'
import { startBackgroundJobs } from './start-background-jobs.ts'
import { startMarket } from './start-market.ts'
import { createObjectStore } from './storage/create-object-store.ts'
import type { Tracing } from './tracing/tracing.ts'
import { configureZod } from './validation/messages.ts'

/** Max number of database connections for the fairs' market; the fairs' engine has two more. */
const FAIRS_CONNECTIONS_MAX = 6
/** How long a pending request may delay closing, in ms. */
const CLOSE_GRACE_MS = 3_000

export interface AppParts {
  readonly config: Config
  /** A database whose schema is up to date. The caller closes the database after the app. */
  readonly database: Pick<DatabaseClient, 'db' | 'pool' | 'reopen'>
  readonly log: Logger
  readonly clock?: Clock
  /** Timers of the app. By default, the machine's timers. */
  readonly timers?: Timers
  /** Folder of the built web app; null to serve only the API. */
  readonly webRoot?: string | null
  /** Hashes passwords. By default, threads of this process hash them. */
  readonly passwordRunner?: PasswordRunner
  /** Chooses the number that solves a proof-of-work challenge; tests set it. By default, the number is random. */
  readonly drawCounter?: DrawCounter | undefined
  /** The operator's terminal, if there is one. */
  readonly terminal?: Terminal | null
  /** Rules for calls to other people's hosts. By default, the server calls only public IP addresses of other hosts. */
  readonly outbound?: OutboundRules
  /**
   * Min length of rate limit windows, in seconds. Tests set it, because short windows could end too early on a slow
   * machine.
   */
  readonly limitWindowMinS?: number
  /** Limits of the engine. By default, `ENGINE_LIMITS`. */
  readonly engineLimits?: EngineLimits
  /** Max number of traces that begin per second. Tests raise the limit to trace every call. */
  readonly tracesPerSecond?: number | undefined
  /**
   * Whether background jobs run (default: true). Tests of responses switch the jobs off, because jobs double the start
   * time.
   */
  readonly hasJobs?: boolean
}

export interface BuiltApp {
  readonly app: App
  /**
   * The HTTP server, ready to listen or for `inject`. `close` first waits for the engine, then ends every connection.
   */
  readonly fastify: FastifyInstance
  /** Returns the number of orders without a response yet. */
  countOrders(): number
}

/** Builds the whole server on a database, without listening. */
export async function buildApp(parts: AppParts): Promise<BuiltApp> {
  configureZod()
  const { config, database, log, clock = systemClock, timers = systemTimers } = parts
  const registry = new Registry()
  const tracing = await openTracing(parts, registry)
  const relay = await startRelay(config, log)
  const shared = { clock, timers, log, engineLimits: parts.engineLimits, relay }
  const hasDemoWorld = config.demo
  const fairground = await startMarket({ ...shared, database, registry, hasDemoWorld, cursorMarket: '1' })
  const fairsDatabase = database.reopen({ schema: 'fairs', poolMax: FAIRS_CONNECTIONS_MAX })
  const fairs = await startMarket({
    ...shared,
    database: fairsDatabase,
    // The fairs' market has its own registry, because its metrics have the same names as those of the fairground.
    registry: new Registry(),
    hasDemoWorld: false,
    cursorMarket: '2',
  })
  const { db } = database
  registerReplicationMetrics(registry, { db, log })
  registerOperationMetrics(registry, { platform: { db, config, clock }, relay })
  const platform = await createPlatform(parts, { clock, timers, metrics: registry, tracing })
  const accounts = await createAccounts(parts, platform)
  const notices = new NoticeFeed(db)
  const fairsApp: App = {
    platform: { ...platform, db: fairsDatabase.db },
    accounts,
    market: fairs.market,
    live: { ...fairs.live, notices, streamMetrics: fairground.live.streamMetrics },
  }
  const app: App = {
    platform,
    accounts,
    market: { ...fairground.market, fairs: fairsApp },
    live: { ...fairground.live, notices },
  }
  const fastify = createFastify(config, log)
  const backgroundJobs = parts.hasJobs === false ? [] : startBackgroundJobs(app)
  closeInOrder(fastify, [fairground.engine, fairs.engine], async () => {
    await Promise.all(backgroundJobs.map((job) => job.stop()))
    await relay?.close()
    await accounts.limits.close()
    await accounts.passwords.close()
    await platform.mailer?.close()
    await tracing?.close()
    await fairground.stop()
    await fairs.stop()
    await fairsDatabase.close()
  })
  await registerTransports(fastify, app, parts.webRoot ?? null)
  return { app, fastify, countOrders: () => fairground.own.unanswered + fairs.own.unanswered }
}

async function createPlatform(
  { config, log, database: { db }, outbound = publicOnly, terminal = null }: AppParts,
  started: Pick<Platform, 'clock' | 'timers' | 'metrics' | 'tracing'>,
): Promise<Platform> {
  return {
    config,
    log,
    db,
    outbound,
    terminal,
    ...started,
    objects: await createObjectStore(config, log),
    mailer: await openMailer({ config, log, metrics: started.metrics }),
    draining: new AbortController(),
  }
}

async function createAccounts(parts: AppParts, platform: Platform) {
  const { config, db, clock, log, metrics } = platform
  return {
    sessions: new Sessions(db, clock),
    apiKeys: new ApiKeys(db, clock),
    limits: config.rateLimit
      ? await createRateLimits({ redisUrl: config.redisUrl, log, windowMinS: parts.limitWindowMinS })
      : noRateLimits,
    proofOfWork: await createProofOfWork({ db, clock, drawCounter: parts.drawCounter }),
    passwords: createPasswordHasher(metrics, parts.passwordRunner),
    secrets: createSecretBox({ db, keys: config.secretsKeys }),
    passkeyLoginKey: await loadServerKey(db, 'passkey logins'),
    securityLog: createSecurityLog(platform),
  }
}

/**
 * Opens the mailer if a mail server is configured. Loads the mail library only if it is needed, because the library
 * makes up half of all loaded modules.
 */
async function openMailer({
  config,
  log,
  metrics,
}: Pick<Platform, 'config' | 'log' | 'metrics'>): Promise<Mailer | null> {
  const { smtpUrl, mailFrom } = config
  if (smtpUrl === null) return null
  const { createMailer } = await import('./mailer.ts')
  return createMailer({ smtpUrl, from: mailFrom, log, metrics })
}

/** Returns null if no collector is configured. */
async function openTracing({ config, log, tracesPerSecond }: AppParts, metrics: Registry): Promise<Tracing | null> {
  if (config.tracing === null) return null
  const { createOtlpTracing } = await import('./tracing/otlp-tracing.ts')
  return createOtlpTracing({ settings: config.tracing, perSecond: tracesPerSecond, log, metrics })
}

async function startRelay({ redisUrl }: Config, log: Logger): Promise<RedisRelay | null> {
  if (redisUrl === null) return null
  const { startRedisRelay } = await import('./events/redis-relay.ts')
  return startRedisRelay({ url: redisUrl, log })
}

/** Waits for the responses to pending orders, then closes the sockets, then everything else. */
function closeInOrder(
  fastify: FastifyInstance,
  engines: readonly TradingEngine[],
  stopRest: () => Promise<void>,
): void {
  fastify.addHook('preClose', async () => {
    await Promise.all(engines.map((engine) => engine.close()))
    // Let Fastify write the responses before their sockets close.
    await new Promise(setImmediate)
    setTimeout(() => fastify.server.closeAllConnections(), CLOSE_GRACE_MS).unref()
  })
  fastify.addHook('onClose', async () => await stopRest())
}

async function registerTransports(fastify: FastifyInstance, app: App, webRoot: string | null): Promise<void> {
  const room = connectionCapacity()
  app.platform.log.info(room, 'max connections of this process, and how many of them may be WebSockets')
  await fastify.register(traceRequests, { app })
  await fastify.register(metrics, { app })
  await fastify.register(cookie)
  // Register live sockets before any plugin that may reject an upgrade, because only their hooks close the sockets of
  // rejected upgrades.
  await fastify.register(liveSockets, { app, room })
  const answers = new ResponseCache(app)
  fastify.addHook('onRequest', respondFromCache(app, answers))
  await fastify.register(security, { app, webRoot })
  await fastify.register(connectionLimits, { app, room })
  await fastify.register(health, { app })
  await fastify.register(readYourWrites, { app })
  const compressor = new ResponseCompressor()
  await fastify.register(trpcMount, { app, compressor })
  await fastify.register(restMount, { app, answers, compressor })
  await fastify.register(objects, { app })
  await fastify.register(accountExports, { app })
  await fastify.register(eventSocket, { app })
  await fastify.register(eventSource, { app })
  await fastify.register(asyncApi, { app })
  await fastify.register(ogPictures, { app })
  await fastify.register(wellKnown, { app })
  await fastify.register(guidePages, { app, hasScreens: hasPage(webRoot) })
  await fastify.register(webAssets, { app, webRoot })
  await fastify.ready()
}
