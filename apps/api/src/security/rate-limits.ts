import { createHash } from 'node:crypto'
import { MODERATION_BOUNDS } from '@papermoon/contract/admin'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimitedError } from '../errors.ts'
import { toAddressKey, toAddressKeys } from './client-address.ts'

/** The caller whose calls are counted. `header` sets the response's RateLimit-* headers. */
interface Caller {
  readonly ip: string
  header(name: string, value: string): void
}

/** Allows `calls` calls in a window of `seconds` seconds. */
export interface LimitRule {
  readonly calls: number
  readonly seconds: number
}

interface Rules {
  /** Limit per IP address, for all players and guests at this address together. */
  readonly address?: LimitRule
  /** Limit per player, or per email address before login. */
  readonly account?: LimitRule
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

function per(seconds: number, calls: number): LimitRule {
  return { calls, seconds }
}

/**
 * The limits count calls, not HTTP requests, so a batch counts as much as its parts. Every call counts as a read or a
 * write. An expensive call also counts against a limit of its own. A list page counts one more read per 50 requested
 * tokens. Only wrong passwords and codes count against an account. Beyond a limit of `GuardedAttempt`
 * (`features/account/sign-in/guarded-attempt.ts`), an attempt needs a proof of work. An IPv6 address counts as its /64
 * network. For most limits, the address's /56 network has four times the limit and its /48 network sixteen times,
 * because one subscriber may have hundreds of /64 networks.
 */
const limits = {
  // A page of the web app needs about six reads. A household, or a few bots, never reaches this limit.
  read: { address: per(10, 1_200) },
  // A bot that trades 20 times a second needs a third of this limit.
  write: { address: per(10, 1_200), account: per(10, 600) },
  // Limits passwords, codes and new recovery codes, because checking or creating each costs a hash. Each purpose has a
  // separate count. The account's limit applies to one network, browser or session, so that none of them uses up the
  // attempts of the others.
  attempt: { address: per(5 * MINUTE, 30), account: per(15 * MINUTE, 10) },
  // Limits changes to login methods, logins by passkey (two calls each), and a guest's daily game, because each call
  // costs a row or a signature. Also limits wrong passwords for an account from all networks together.
  'sign-in': { address: per(10 * MINUTE, 120), account: per(10 * MINUTE, 30) },
  // For a single purpose, `Counted` can set a lower limit.
  hourly: { account: per(HOUR, 300) },
  daily: { account: per(DAY, 200) },
  // Without proof of work, a household can register its members. With proof of work, a school class can register, but
  // nobody can register accounts in large numbers, not even with a room's link.
  register: { address: per(HOUR, 30) },
  'register-free': { address: per(HOUR, 10) },
  // Limits launches, because every token list shows them, and bot declarations, because they clear every node's cache.
  launch: { address: per(10 * MINUTE, 60), account: per(10 * MINUTE, 20) },
  // A new picture needs two calls, and costs 5 MB of traffic and a decoding.
  upload: { address: per(10 * MINUTE, 120), account: per(10 * MINUTE, 40) },
  // Limits posts to more than anyone can type. For accounts in their first day, the limit is lower, because a flood of
  // posts would come from new accounts.
  talk: { address: per(MINUTE, 60), account: per(MINUTE, MODERATION_BOUNDS.accountPosts.usual) },
  'talk-new': { account: per(10 * MINUTE, MODERATION_BOUNDS.newAccountPosts.usual) },
  // Each report may cause work for a moderator.
  'talk-report': { address: per(HOUR, 120), account: per(HOUR, MODERATION_BOUNDS.accountReports.usual) },
  // Each waiting order costs a row that stays for at least 30 days. Two thousand orders a day are one every 43 seconds.
  waiting: { account: per(DAY, 2_000) },
  // Each call makes this server call someone else's server.
  webhook: { address: per(10 * MINUTE, 60), account: per(10 * MINUTE, 30) },
} as const satisfies Readonly<Record<string, Rules>>

export type LimitName = keyof typeof limits

const rules: Readonly<Record<LimitName, Rules>> = limits

export function getLimitRules(name: LimitName): Rules {
  return rules[name]
}

/**
 * Limits that authors of programs need. `GET /api/parameters` returns these limits. All other limits only prevent
 * abuse.
 */
export const shownLimits = (['read', 'write', 'launch', 'upload', 'waiting', 'webhook'] as const).map((name) => ({
  name,
  perAddress: rules[name].address ?? null,
  perAccount: rules[name].account ?? null,
}))

/** Limits that each node counts separately. These calls are too frequent to ask another machine each time. */
const COUNTED_PER_NODE: ReadonlySet<LimitName> = new Set(['read', 'write'])
/** Factors by which the limits of an IPv6 address's /56 and /48 are larger than the address's own limit. */
const WIDER = [4, 16] as const
/** Max time to wait for a response of Redis, in ms. After this time, the node counts the call alone. */
const REDIS_ANSWER_MAX_MS = 500
const REDIS_RETRY_MAX_MS = 2_000

/**
 * The account against which a call counts. `most` is the max number of calls in the limit's window, if it is smaller
 * than the limit. With a smaller `most`, one call counts as several.
 */
export type Counted = string | number | { readonly key: string; readonly most: number }

/**
 * Counts the procedure calls over all transports. Each count sets the `RateLimit-*` headers, and may throw
 * `RateLimitedError`.
 */
export interface RateLimits {
  /**
   * Counts calls against the limit of the client's IP address: `calls`, or one by default. Throws `RateLimitedError`.
   */
  spend(caller: Caller, limit: LimitName, calls?: number): Promise<void>
  /** Counts one call for the client's IP address, separately for each purpose. Throws `RateLimitedError`. */
  spendFor(caller: Caller, limit: LimitName, purpose: string): Promise<void>
  /** Counts one call for an account, if the limit has a rule for accounts. Throws `RateLimitedError`. */
  spendAccount(caller: Caller, limit: LimitName, account: Counted): Promise<void>
  /** Gives back one call that `spendAccount` counted. */
  refundAccount(limit: LimitName, account: Counted): Promise<void>
  /** Returns the number of calls of an account in the current window. */
  count(limit: LimitName, account: Counted): Promise<number>
  /** Changes the number of calls that an account has per window. */
  setAccountCalls(limit: LimitName, calls: number): void
  close(): Promise<void>
}

/** Limits that never reject a call. They are used for load tests and RATE_LIMIT=off. */
export const noRateLimits: RateLimits = {
  spend: async () => {},
  spendFor: async () => {},
  spendAccount: async () => {},
  refundAccount: async () => {},
  count: async () => 0,
  setAccountCalls: () => {},
  close: async () => {},
}

interface RateLimitParts {
  /** URL of the Redis server. The URL is null if every node counts alone. */
  readonly redisUrl: string | null
  readonly log: Pick<Logger, 'debug'>
  /** Min length of a limit's window, in seconds. */
  readonly windowMinS?: number | undefined
  /** Max time in ms to wait for a response of Redis, by default half a second. */
  readonly redisAnswerMaxMs?: number
}

/**
 * Creates limits that all nodes share through Redis, if it is configured. Only reads and writes are counted per node.
 * While Redis is down or slow, each process counts in its own memory.
 */
export async function createRateLimits(parts: RateLimitParts): Promise<RateLimits> {
  const { redisUrl, windowMinS = 0 } = parts
  const redis = redisUrl === null ? null : await connect(redisUrl, parts)
  const limiters = Object.fromEntries(
    Object.entries(rules).map(([key, own]) => {
      const name = key as LimitName
      return [name, createLimiters(name, own, { redis: COUNTED_PER_NODE.has(name) ? null : redis, windowMinS })]
    }),
  ) as Record<LimitName, Limiters>
  const ofAccount = (limit: LimitName) => limiters[limit].account
  return {
    spend: async (caller, limit, calls) => {
      const { addresses } = limiters[limit]
      const keys = addresses.length > 1 ? toAddressKeys(caller.ip) : [toAddressKey(caller.ip)]
      for (const [index, key] of keys.entries()) await spend(caller, addresses[index], { key, calls })
    },
    spendFor: async (caller, limit, purpose) => {
      for (const [index, key] of toAddressKeys(caller.ip).entries())
        await spend(caller, limiters[limit].addresses[index], { key: `${purpose} ${key}` })
    },
    spendAccount: async (caller, limit, account) => {
      const limiter = ofAccount(limit)
      if (limiter !== undefined) await spend(caller, limiter, toCharge(limiter, account))
    },
    refundAccount: async (limit, account) => {
      const limiter = ofAccount(limit)
      if (limiter === undefined) return
      const { key, weight } = toCharge(limiter, account)
      await limiter.counters.reward(limiter.toKey(key), weight)
    },
    count: async (limit, account) => {
      const limiter = ofAccount(limit)
      if (limiter === undefined) return 0
      const { key, weight } = toCharge(limiter, account)
      return ((await limiter.counters.get(limiter.toKey(key)))?.consumedPoints ?? 0) / weight
    },
    setAccountCalls: (limit, calls) => {
      const limiter = ofAccount(limit)
      for (const counters of limiter === undefined ? [] : [limiter.memory, limiter.counters]) counters.points = calls
    },
    close: async () => redis?.disconnect(),
  }
}

/** Connects to Redis. Commands fail fast, so that no call waits while Redis is down. */
async function connect(
  url: string,
  { log, redisAnswerMaxMs = REDIS_ANSWER_MAX_MS }: Pick<RateLimitParts, 'log' | 'redisAnswerMaxMs'>,
): Promise<Redis> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: redisAnswerMaxMs,
    retryStrategy: (attempt) => Math.min(100 * attempt, REDIS_RETRY_MAX_MS),
  })
  redis.on('error', (error) => log.debug({ err: error }, 'Redis is away: limits are counted by each node'))
  return redis
}

/** Sends one request to a Redis server. Returns the reason why Redis does not respond. Returns null if it responds. */
export async function pingRedis(url: string): Promise<string | null> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    commandTimeout: 5_000,
    connectTimeout: 5_000,
  })
  let failure: string | null = null
  redis.on('error', (error) => (failure = error.message))
  try {
    await redis.connect()
    await redis.ping()
    return null
  } catch (error) {
    return failure ?? (error instanceof Error ? error.message : String(error))
  } finally {
    redis.disconnect()
  }
}

/** The counters of one rule, either per account or per IP address. */
interface Limiter {
  readonly name: LimitName
  /** The shared counters, and this process's own counters, which it uses while Redis is down. */
  readonly counters: RateLimiterMemory | RateLimiterRedis
  readonly memory: RateLimiterMemory
  toKey(who: string): string
}

interface LimiterPlace {
  /** The Redis connection. The connection is null if this process counts in its own memory. */
  readonly redis: Redis | null
  readonly windowMinS: number
}

interface Limiters {
  /** Limiters for IP addresses, and for the networks around an IPv6 address. */
  readonly addresses: readonly Limiter[]
  readonly account: Limiter | undefined
}

function createLimiters(name: LimitName, { address, account }: Rules, place: LimiterPlace): Limiters {
  const create = (by: string, rule: LimitRule) => createLimiter({ name, by }, rule, place)
  const wider = COUNTED_PER_NODE.has(name) ? [] : WIDER
  return {
    addresses:
      address === undefined
        ? []
        : [
            create('address', address),
            ...wider.map((times) => create(`network${times}`, { ...address, calls: times * address.calls })),
          ],
    account: account && create('account', account),
  }
}

function createLimiter(
  { name, by }: { readonly name: LimitName; readonly by: string },
  { calls, seconds }: LimitRule,
  { redis, windowMinS }: LimiterPlace,
): Limiter {
  const options = {
    keyPrefix: `papermoon:limit:${name}:${by}`,
    points: calls,
    duration: Math.max(seconds, windowMinS),
  }
  const memory = new RateLimiterMemory(options)
  if (redis === null) return { name, counters: memory, memory, toKey: (who) => who }
  const shared = { storeClient: redis, rejectIfRedisNotReady: true, insuranceLimiter: memory }
  return { name, counters: new RateLimiterRedis({ ...options, ...shared }), memory, toKey: hashKey }
}

/** Hashes a key, so that Redis contains no email addresses. */
function hashKey(who: string): string {
  return createHash('sha256').update(who).digest('base64url')
}

/** A call to count. The call is counted `weight` times. */
interface Charge {
  readonly key: string
  readonly calls?: number | undefined
  readonly weight?: number
}

function toCharge({ counters }: Limiter, account: Counted): Required<Pick<Charge, 'key' | 'weight'>> {
  if (typeof account !== 'object') return { key: String(account), weight: 1 }
  return { key: account.key, weight: Math.floor(counters.points / account.most) }
}

async function spend(
  caller: Caller,
  limiter: Limiter | undefined,
  { key, calls = 1, weight = 1 }: Charge,
): Promise<void> {
  if (limiter === undefined) return
  const { counters, name, toKey } = limiter
  try {
    setTightestHeaders(caller, counters.points, weight, await counters.consume(toKey(key), calls * weight))
  } catch (spent) {
    if (!(spent instanceof RateLimiterRes)) throw spent
    setTightestHeaders(caller, counters.points, weight, spent)
    throw new RateLimitedError(getRetrySeconds(spent), name)
  }
}

/** The lowest number of remaining calls that the headers contain so far, for each caller. */
const fewestLeft = new WeakMap<Caller, number>()

/** Sets the rate limit headers. If several limits apply, the headers describe the one with the fewest calls left. */
function setTightestHeaders(caller: Caller, points: number, weight: number, state: RateLimiterRes): void {
  const left = Math.floor(state.remainingPoints / weight)
  if (left > (fewestLeft.get(caller) ?? Number.POSITIVE_INFINITY)) return
  fewestLeft.set(caller, left)
  caller.header('RateLimit-Limit', String(Math.floor(points / weight)))
  caller.header('RateLimit-Remaining', String(left))
  caller.header('RateLimit-Reset', String(getRetrySeconds(state)))
}

function getRetrySeconds(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / 1_000))
}
