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

/** Max number of `calls` in a window of `seconds`. */
export interface LimitRule {
  readonly calls: number
  readonly seconds: number
}

interface Rules {
  /** Limit per IP address, for all of its players and guests together. */
  readonly address?: LimitRule
  /** Limit per player, or per email address before login. */
  readonly account?: LimitRule
}

/** A limit with parts, which are other limits for the same calls. A part has both names, such as `login-known`. */
interface Limit extends Rules {
  readonly parts?: Readonly<Record<string, Rules>>
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

function per(seconds: number, calls: number): LimitRule {
  return { calls, seconds }
}

/**
 * Limits count calls, not HTTP requests, so a batch costs as much as its parts. Every call counts as a read or a write,
 * and expensive calls also count against their own limit. A list page counts one more read per 50 requested tokens.
 * Only wrong passwords and codes count against accounts. Beyond the limits login, register-free, forgot and reset, a
 * proof of work allows an attempt (`features/account/sign-in/guarded-attempt.ts`). `worked` limits these for one
 * account from one network or known browser, and `worked-network` for one network.
 *
 * An IPv6 address counts as its /64 network. For most limits, its /56 has four times the limit and its /48 sixteen
 * times, because one subscriber may have hundreds of /64 networks. Reads and writes have no such limit.
 */
const limits = {
  // A page of the web app needs about six reads. A household, or a few bots, never reaches this limit.
  read: { address: per(10, 1_200) },
  // A bot that trades 20 times a second uses a third of this limit.
  write: { address: per(10, 1_200), account: per(10, 600) },
  // Each login costs the check of a password. A single network cannot use up the attempts of an account, so no stranger
  // can lock out its owner.
  login: {
    address: per(5 * MINUTE, 30),
    account: per(15 * MINUTE, 30),
    parts: {
      here: { account: per(15 * MINUTE, 10) },
      known: { account: per(15 * MINUTE, 10) },
      worked: { account: per(DAY, 20) },
      'worked-network': { account: per(HOUR, 300) },
    },
  },
  // These attempts are counted by session, so that a stolen session cannot lock out the player's other sessions. New
  // recovery codes cost ten hashes each, and are counted by player.
  confirm: {
    address: per(5 * MINUTE, 30),
    account: per(15 * MINUTE, 10),
    // A single session cannot use up the 20 attempts at app codes of an account.
    parts: { code: { account: per(DAY, 10) } },
  },
  // Limits changes to login methods, logins by passkey (two calls each), and a guest's daily game (one call). Each call
  // costs a row or a signature.
  'sign-in': {
    address: per(10 * MINUTE, 120),
    account: per(10 * MINUTE, 30),
    // Attempts with proof of work from a network and for an account. Their number is not limited here, but it raises
    // the work for the next attempt.
    parts: { worked: { account: per(HOUR, 1_000_000_000) } },
  },
  // Limits mails about changes to an account, with a lower limit for an unverified address. Changes beyond the limit
  // appear only in the account's events. A mailed link to an unverified address counts against both limits. The change
  // of an address reveals whether another address is registered.
  mail: {
    account: per(DAY, 20),
    parts: {
      unverified: { account: per(DAY, 5) },
      link: { account: per(DAY, 5) },
      change: { account: per(HOUR, 10) },
    },
  },
  // Without work, a household can register. With work, a school class can register, but a farm of accounts cannot, not
  // even with a room's link.
  register: {
    address: per(HOUR, 30),
    parts: { free: { address: per(HOUR, 10) } },
  },
  // Each request costs a hash and perhaps a mail, and gives five attempts at a code. No stranger can keep the owner
  // from setting a new password.
  forgot: {
    address: per(15 * MINUTE, 30),
    account: per(DAY, 20),
    parts: {
      here: { account: per(DAY, 4) },
      known: { account: per(DAY, 10) },
      worked: { account: per(DAY, 5) },
      'worked-network': { account: per(HOUR, 60) },
    },
  },
  // Each attempt costs the check of a code. The database counts the attempts per account and in total.
  reset: {
    address: per(5 * MINUTE, 30),
    parts: { worked: { account: per(DAY, 5) }, 'worked-network': { account: per(DAY, 100) } },
  },
  // Limits launches and new rooms and cups, because public lists show most of them. Also limits bot declarations,
  // because they clear every node's cache.
  launch: {
    address: per(10 * MINUTE, 60),
    account: per(10 * MINUTE, 20),
    parts: { fair: { account: per(HOUR, 10) } },
  },
  // A picture needs two calls. Each picture costs 5 MB and a decoding.
  upload: { address: per(10 * MINUTE, 120), account: per(10 * MINUTE, 40) },
  // Limits posts to more than anyone can type. Accounts in their first day have a lower limit, because they are the
  // cheapest to flood with.
  talk: {
    address: per(MINUTE, 60),
    account: per(MINUTE, MODERATION_BOUNDS.accountPosts.usual),
    parts: {
      new: { account: per(10 * MINUTE, MODERATION_BOUNDS.newAccountPosts.usual) },
      // Each report may cause work for a moderator.
      report: { address: per(HOUR, 120), account: per(HOUR, MODERATION_BOUNDS.accountReports.usual) },
    },
  },
  // Each waiting order costs a row for at least 30 days. Two thousand a day are one every 43 seconds.
  waiting: { account: per(DAY, 2_000) },
  // Each call makes this server call a stranger's server.
  webhook: { address: per(10 * MINUTE, 60), account: per(10 * MINUTE, 30) },
} as const satisfies Readonly<Record<string, Limit>>

type Limits = typeof limits
type PartName<Name extends keyof Limits> = Limits[Name] extends { readonly parts: infer Parts }
  ? `${Name}-${keyof Parts & string}`
  : never

export type LimitName = { [Name in keyof Limits]: Name | PartName<Name> }[keyof Limits]

/** All rules by their names, including parts. */
const rules = Object.fromEntries(
  Object.entries<Limit>(limits).flatMap(([name, { parts = {}, ...own }]) => [
    [name, own],
    ...Object.entries(parts).map(([part, partRules]) => [`${name}-${part}`, partRules]),
  ]),
) as Record<LimitName, Rules>

export function getLimitRules(name: LimitName): Rules {
  return rules[name]
}

/** Limits that authors of programs need, which `GET /api/parameters` shows. The other limits only prevent abuse. */
export const shownLimits = (['read', 'write', 'launch', 'upload', 'waiting', 'webhook'] as const).map((name) => ({
  name,
  perAddress: rules[name].address ?? null,
  perAccount: rules[name].account ?? null,
}))

/** Limits that each node counts alone, because these calls are too frequent to ask another machine each time. */
const COUNTED_PER_NODE: ReadonlySet<LimitName> = new Set(['read', 'write'])
/** Factors by which the limits of an IPv6 address's /56 and /48 exceed the address's own limit. */
const WIDER = [4, 16] as const
/** Max time to wait for Redis, in ms. After this time, the node counts alone. */
const REDIS_ANSWER_MAX_MS = 500
const REDIS_RETRY_MAX_MS = 2_000

/**
 * Counts the procedure calls of all transports. The functions that count set the `RateLimit-*` headers, and may throw
 * `RateLimitedError`.
 */
export interface RateLimits {
  /** Counts `calls` calls (by default one) for the client's IP address. Throws `RateLimitedError`. */
  spend(caller: Caller, limit: LimitName, calls?: number): Promise<void>
  /** Counts one call for an account, if the limit has a rule for accounts. Throws `RateLimitedError`. */
  spendAccount(caller: Caller, limit: LimitName, account: string | number): Promise<void>
  /** Undoes one `spendAccount`. */
  refundAccount(limit: LimitName, account: string | number): Promise<void>
  /** Returns the number of calls of an account in the current window. */
  count(limit: LimitName, account: string | number): Promise<number>
  /** Changes the number of calls that an account has per window. */
  setAccountCalls(limit: LimitName, calls: number): void
  close(): Promise<void>
}

/** Limits that never reject a call, for load tests and RATE_LIMIT=off. */
export const noRateLimits: RateLimits = {
  spend: async () => {},
  spendAccount: async () => {},
  refundAccount: async () => {},
  count: async () => 0,
  setAccountCalls: () => {},
  close: async () => {},
}

interface RateLimitParts {
  /** Null if every node counts alone. */
  readonly redisUrl: string | null
  readonly log: Pick<Logger, 'debug'>
  /** Min length of a window, in seconds. */
  readonly windowMinS?: number | undefined
  /** Max time to wait for Redis in ms, by default half a second. */
  readonly redisAnswerMaxMs?: number
}

/**
 * Creates limits that all nodes share through Redis, if it is configured. Reads and writes are counted per node. While
 * Redis is down or slow, each process counts in its memory.
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
      for (const [index, key] of keys.entries()) await spend(caller, addresses[index], key, calls)
    },
    spendAccount: async (caller, limit, account) => spend(caller, ofAccount(limit), String(account)),
    refundAccount: async (limit, account) => {
      const limiter = ofAccount(limit)
      await limiter?.counters.reward(limiter.toKey(String(account)))
    },
    count: async (limit, account) => {
      const limiter = ofAccount(limit)
      return (await limiter?.counters.get(limiter.toKey(String(account))))?.consumedPoints ?? 0
    },
    setAccountCalls: (limit, calls) => {
      const limiter = ofAccount(limit)
      for (const counters of limiter === undefined ? [] : [limiter.memory, limiter.counters]) counters.points = calls
    },
    close: async () => redis?.disconnect(),
  }
}

/** Connects to Redis. Fails fast, so that no call waits for Redis while Redis is down. */
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

/** Sends one request to a Redis server. Returns the reason why Redis does not respond; null if it responds. */
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

/** The counters of one rule, per account or IP address. */
interface Limiter {
  readonly name: LimitName
  /** The shared counters, and this process's own counters for times when Redis is down. */
  readonly counters: RateLimiterMemory | RateLimiterRedis
  readonly memory: RateLimiterMemory
  toKey(who: string): string
}

interface LimiterPlace {
  /** Null if this process counts in its memory. */
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

async function spend(caller: Caller, limiter: Limiter | undefined, who: string, calls = 1): Promise<void> {
  if (limiter === undefined) return
  const { counters, name, toKey } = limiter
  try {
    setTightestHeaders(caller, counters.points, await counters.consume(toKey(who), calls))
  } catch (spent) {
    if (!(spent instanceof RateLimiterRes)) throw spent
    setTightestHeaders(caller, counters.points, spent)
    throw new RateLimitedError(getRetrySeconds(spent), name)
  }
}

/** The lowest number of remaining calls in each caller's headers so far. */
const fewestLeft = new WeakMap<Caller, number>()

/** Sets the rate limit headers. If several limits apply, the headers describe the limit with the fewest calls left. */
function setTightestHeaders(caller: Caller, calls: number, state: RateLimiterRes): void {
  if (state.remainingPoints > (fewestLeft.get(caller) ?? Number.POSITIVE_INFINITY)) return
  fewestLeft.set(caller, state.remainingPoints)
  caller.header('RateLimit-Limit', String(calls))
  caller.header('RateLimit-Remaining', String(state.remainingPoints))
  caller.header('RateLimit-Reset', String(getRetrySeconds(state)))
}

function getRetrySeconds(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / 1_000))
}
