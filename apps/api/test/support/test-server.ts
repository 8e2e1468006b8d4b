import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { BuyResult, SellResult } from '@papermoon/contract/trading'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { type Clock, ENGINE_LIMITS, type EngineLimits, systemTimers, type Timers, type UserId } from '@papermoon/engine'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { type Logger, pino } from 'pino'
import superjson from 'superjson'
import { afterAll, vi } from 'vitest'
import { type RawData, WebSocket } from 'ws'
import { buildApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { App, Terminal } from '../../src/context.ts'
import { DECOY, type PasswordRunner } from '../../src/features/account/password/passwords.ts'
import { SESSION_COOKIE } from '../../src/http/calls/call-context.ts'
import type { PeriodicJob } from '../../src/lib/periodic-job.ts'
import type { OutboundRules } from '../../src/security/outbound.ts'
import type { DrawCounter } from '../../src/security/proof-of-work/proof-of-work.ts'
import { type JobName, startBackgroundJob } from '../../src/start-background-jobs.ts'
import { findUnlistedRefusal } from './listed-refusals.ts'
import { WAIT_MAX_MS } from './wait.ts'

export interface LogLine {
  readonly level: number
  readonly msg?: string
  readonly err?: { readonly message: string }
  /** Error code, if the line is about a failed REST call. */
  readonly code?: string
  readonly method?: string
  readonly route?: string
}

/** A whole server with its own database. */
export interface TestServer {
  readonly app: App
  readonly fastify: FastifyInstance
  readonly db: TestDatabase['db']
  readonly database: TestDatabase
  /** Everything logged so far. */
  readonly logs: readonly LogLine[]
  /** Moves the server's clock. */
  passTime(ms: number): void
  /** Moves the server's clock to the next noon, UTC, so that no day ends while a test runs. */
  passToNoon(): void
  /**
   * Runs a background job once, as if its last run was an hour ago, and resolves when it is done. Other jobs do not
   * run.
   */
  tick(job: JobName): Promise<void>
  /** Runs a background job again and again until a check does not throw. */
  tickUntil(job: JobName, check: () => unknown): Promise<void>
  /** Returns a new visitor without a session. */
  visitor(): Visitor
  /** Returns a registered player who is signed in. */
  player(username?: string): Promise<Visitor>
  /** Listens on a free port and returns it. */
  listen(): Promise<number>
  close(): Promise<void>
}

interface ServerOptions {
  readonly env?: Record<string, string>
  readonly webRoot?: string
  /** The database to start with. It is dropped with the server. */
  readonly database?: TestDatabase
  /** Default: hashes at a hundredth of the usual cost. */
  readonly passwordRunner?: PasswordRunner
  /** Default: proofs of work at a hundredth of the usual cost. Null: the usual cost. */
  readonly drawCounter?: DrawCounter | null
  /** The operator's terminal. Default: none. */
  readonly terminal?: Terminal
  /** Default: public addresses only, so a test cannot call anything. */
  readonly outbound?: OutboundRules
  /** Default: the machine's clock plus the time that `passTime` added. */
  readonly clock?: Clock
  /** Default: the machine's timers. */
  readonly timers?: Timers
  /** Default: the same as on real servers. */
  readonly tracesPerSecond?: number
  /** Runs the background jobs: notices, stickers, published heads, giveaways, fairs, deletion and others. Default: false. */
  readonly hasJobs?: boolean
}

/** Hashes quickly, without a thread. `password-threads.test.ts` tests the hashes that real servers use. */
export const quickHashes: PasswordRunner = {
  run: async ({ password, hash }) => {
    if (hash === undefined) return hashSync(password, { memoryCost: 64, timeCost: 1 })
    return hash !== DECOY && verifySync(hash, password)
  },
  close: async () => {},
}

/**
 * Draws a low counter, so that clients try fewer than a hundredth of all counters. `proof-of-work.test.ts` tests the
 * real draw.
 */
const drawLowCounter: DrawCounter = (max) => randomInt(Math.ceil(max / 100))

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Min length of a rate limit's window in seconds, so that none ends while a test counts calls on a slow machine. */
const LIMIT_WINDOW_MIN_S = 300

/** Waits long enough that no order gets "busy" because the machine is slow. */
export const ENGINE_PATIENCE: EngineLimits = { ...ENGINE_LIMITS, waitMaxMs: 60_000 }

/** Creates a server whose rate limits are off unless `env` turns them on. */
export async function createTestServer({ env = {}, webRoot, ...options }: ServerOptions = {}): Promise<TestServer> {
  const { drawCounter = drawLowCounter } = options
  const database = options.database ?? (await createTestDatabase())
  const { log, lines, unlisted } = recordingLog()
  const dataDir = await mkdtemp(join(tmpdir(), 'papermoon-api-'))
  const config: Config = readConfig({ RATE_LIMIT: 'off', FAIRS: 'off', DATA_DIR: dataDir, ...env })
  let offsetMs = 0
  const clock = options.clock ?? { now: () => new Date(Date.now() + offsetMs) }
  const { app, fastify } = await buildApp({
    config,
    database,
    log,
    clock,
    timers: options.timers ?? systemTimers,
    webRoot: webRoot ?? null,
    limitWindowMinS: LIMIT_WINDOW_MIN_S,
    engineLimits: ENGINE_PATIENCE,
    passwordRunner: options.passwordRunner ?? quickHashes,
    drawCounter: drawCounter ?? undefined,
    terminal: options.terminal ?? null,
    tracesPerSecond: options.tracesPerSecond,
    hasJobs: options.hasJobs ?? false,
    ...(options.outbound !== undefined && { outbound: options.outbound }),
  })
  const jobs = new SteppedJobs(app)
  const passTime = (ms: number) => {
    offsetMs += ms
  }
  let players = 0
  const visitor = () => new Visitor(fastify, unlisted)
  return {
    app,
    fastify,
    db: database.db,
    database,
    logs: lines,
    passTime,
    passToNoon: () => passTime(DAY_MS - ((clock.now().getTime() + DAY_MS / 2) % DAY_MS)),
    tick: (job) => jobs.tick(job),
    tickUntil: async (job, check) => {
      const tickAndCheck = async () => {
        await jobs.tick(job)
        await check()
      }
      await vi.waitFor(tickAndCheck, { timeout: WAIT_MAX_MS, interval: 100 })
    },
    visitor,
    player: async (username = `player-${++players}`) => {
      const player = visitor()
      const answer = await player.post('/api/auth/register', registration(username))
      if (answer.statusCode !== 201) throw new Error(answer.body)
      return player
    },
    listen: async () => {
      await fastify.listen({ port: 0, host: '127.0.0.1' })
      return (fastify.server.address() as AddressInfo).port
    },
    close: async () => {
      await jobs.stop()
      await fastify.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
      assertNone(unlisted)
    },
  }
}

/** The background jobs of a server, which run only when a test calls `tick`. */
class SteppedJobs {
  readonly #app: App
  readonly #started = new Map<JobName, PeriodicJob>()
  #nowMs = 0

  constructor({ market: { fairs, ...market }, platform, ...rest }: App) {
    // No timer repeats, and each pause is just one turn of the event loop.
    const timers: Timers = {
      every: () => () => {},
      after: (_ms, work) => {
        const turn = setImmediate(work)
        return () => clearImmediate(turn)
      },
      monotonic: () => this.#nowMs,
    }
    const ofFairs = fairs && { fairs: { ...fairs, platform: { ...fairs.platform, timers } } }
    this.#app = { ...rest, platform: { ...platform, timers }, market: { ...market, ...ofFairs } }
  }

  async tick(name: JobName): Promise<void> {
    this.#nowMs += HOUR_MS
    const job = this.#started.get(name) ?? startBackgroundJob(this.#app, name)
    this.#started.set(name, job)
    await job.run()
  }

  async stop(): Promise<void> {
    for (const job of this.#started.values()) await job.stop()
  }
}

let shared: TestServer | undefined

/** Creates a server for all tests of a file, which calls this once at its top. The server is closed after them. */
export async function shareTestServer(options?: ServerOptions): Promise<TestServer> {
  // Close the server of the file before, if none of that file's tests was selected, because then its hooks did not run.
  await shared?.close()
  const server = await createTestServer(options)
  shared = server
  afterAll(async () => {
    shared = undefined
    await server.close()
  })
  return server
}

export function registration(username: string) {
  return { username, email: `${username}@papermoon.example`, wallet: 'So11111111111111111111111', password: 'secret-1' }
}

interface RecordingLog {
  readonly log: Logger
  readonly lines: LogLine[]
  /** Error codes that the OpenAPI document does not list, as sentences. */
  readonly unlisted: string[]
}

function recordingLog(): RecordingLog {
  const lines: LogLine[] = []
  const unlisted: string[] = []
  const write = (text: string) => {
    const line: LogLine = JSON.parse(text)
    lines.push(line)
    const fault = findUnlistedRefusal(`${line.method} ${line.route}`, line.code)
    if (fault !== null) unlisted.push(fault)
  }
  return { log: pino({ level: 'trace' }, { write }), lines, unlisted }
}

/** Throws the faults found so far, and forgets them. */
function assertNone(faults: string[]): void {
  if (faults.length > 0) throw new Error([...new Set(faults.splice(0))].join('\n'))
}

/** Returns how many passwords and codes a server has hashed. */
export async function countHashes({ app }: TestServer): Promise<number> {
  const metric = await app.platform.metrics.getSingleMetric('papermoon_password_hashes_total')?.get()
  return metric?.values[0]?.value ?? 0
}

/** Returns the errors that a server logged. */
export function errorsIn(server: TestServer): LogLine[] {
  return server.logs.filter((line) => line.level >= 50)
}

/** Sends requests with a cookie jar. Throws if a response has an error code that the OpenAPI document does not list. */
export class Visitor {
  readonly #fastify: FastifyInstance
  readonly #unlisted: string[]
  /** The session cookie. */
  cookie: string | undefined
  /** The other cookies by name. */
  readonly cookies = new Map<string, string>()

  constructor(fastify: FastifyInstance, unlisted: string[] = []) {
    this.#fastify = fastify
    this.#unlisted = unlisted
  }

  async send(options: InjectOptions): Promise<LightMyRequestResponse> {
    const cookies = [...(this.cookie ? [this.cookie] : []), ...this.cookies.values()].join('; ')
    const headers = { ...(cookies !== '' && { cookie: cookies }), ...options.headers }
    const answer = await this.#fastify.inject({ ...options, headers })
    for (const { name, value } of answer.cookies) this.#keep(name, value)
    assertNone([...this.#unlisted.splice(0), ...unlistedOverTrpc(answer, String(options.url))])
    return answer
  }

  #keep(name: string, value: string): void {
    if (name === SESSION_COOKIE) this.cookie = value === '' ? undefined : `${name}=${value}`
    else if (value === '') this.cookies.delete(name)
    else this.cookies.set(name, `${name}=${value}`)
  }

  get(url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    return this.send({ method: 'GET', url, headers })
  }

  post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    return this.raw('POST', url, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
  }

  put(url: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    return this.raw('PUT', url, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
  }

  /** Returns the id of the signed-in player. */
  async id(): Promise<UserId> {
    return (await this.get('/api/auth/user')).json().id
  }

  raw(
    method: 'POST' | 'PUT' | 'DELETE' | 'PATCH',
    url: string,
    payload: string,
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    return this.send({ method, url, payload, headers })
  }

  /** Sends a tRPC query over HTTP. */
  query(path: string, input?: unknown): Promise<LightMyRequestResponse> {
    const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(superjson.serialize(input)))}`
    return this.get(`/trpc/${path}${query}`)
  }

  /** Sends a tRPC mutation over HTTP. */
  mutate(path: string, input?: unknown): Promise<LightMyRequestResponse> {
    return this.post(`/trpc/${path}`, superjson.serialize(input))
  }

  /** Buys for this much SOL. Throws if the order failed. */
  async buy(tokenId: number, solAmount: string): Promise<BuyResult> {
    return await this.#order('/api/tokens/buy', { tokenId, solAmount })
  }

  /** Sells this many tokens. Throws if the order failed. */
  async sell(tokenId: number, tokenAmount: string): Promise<SellResult> {
    return await this.#order('/api/tokens/sell', { tokenId, tokenAmount })
  }

  async #order<Done>(url: string, body: object): Promise<Done> {
    const answer = await this.post(url, body)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return answer.json()
  }

  /** Launches a token and returns its id. */
  async launch(more: Record<string, unknown> = {}): Promise<number> {
    const answer = await this.post('/api/tokens/launch', { name: 'Paper Moon', symbol: 'MOON', ...more })
    if (answer.statusCode !== 201) throw new Error(answer.body)
    return answer.json().id
  }
}

/** Returns the error codes of a tRPC response that the OpenAPI document does not list for the called procedures. */
function unlistedOverTrpc({ statusCode, body }: LightMyRequestResponse, url: string): string[] {
  if (!url.startsWith('/trpc/') || (statusCode < 400 && statusCode !== 207) || !/^[[{]/.test(body)) return []
  const calls: { error?: { json: { data: { path?: string; reason?: string } } } }[] = [JSON.parse(body)].flat()
  const faults = calls.map(({ error }) => findUnlistedRefusal(error?.json.data.path ?? '', error?.json.data.reason))
  return faults.filter((fault) => fault !== null)
}

/** Max time to wait for a message, so that a test cannot hang. */
const MESSAGE_MAX_MS = 60_000

/** A WebSocket whose messages can be awaited one by one. */
export interface Listener {
  readonly socket: WebSocket
  /** Waits for the next message and returns it parsed. Rejects after a minute. */
  next(): Promise<unknown>
  /** Resolves to the close code. */
  readonly closed: Promise<number>
  send(message: unknown): void
}

/** Opens a WebSocket. Rejects with the HTTP status if the server rejects it. */
export async function openSocket(url: string, headers: Record<string, string> = {}): Promise<Listener> {
  const socket = new WebSocket(url, { headers })
  const messages: unknown[] = []
  socket.on('message', (data: RawData) => messages.push(JSON.parse(String(data))))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
    socket.once('unexpected-response', (_request, response) => reject(new Error(String(response.statusCode))))
  })
  async function takeMessage(): Promise<unknown> {
    const signal = AbortSignal.timeout(MESSAGE_MAX_MS)
    while (messages.length === 0) await once(socket, 'message', { signal })
    return messages.shift()
  }
  return {
    socket,
    closed,
    next: () => {
      const message = takeMessage()
      // A test may end while it waits for a message that never comes, so this must not be an unhandled rejection.
      message.catch(() => {})
      return message
    },
    send: (message) => socket.send(JSON.stringify(message)),
  }
}
