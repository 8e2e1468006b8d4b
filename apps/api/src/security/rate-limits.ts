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
  /** Limit per IP address, for all its players and guests together. */
  readonly address?: LimitRule
  /** Limit per player, or per email address before login. */
  readonly account?: LimitRule
}

/**
 * A limit with parts, which are stricter or looser limits for the same calls. A part is counted under both names:
 * `login-known`.
 */
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
 * Limits count calls, not HTTP requests: a batch costs as much as its parts. Every call counts as a read or a write,
 * and expensive calls also count against their own limit. A list page counts one more read per 50 requested tokens.
 * Only wrong passwords and codes count against an account. Beyond the limits login, register-free, forgot and reset, a
 * proof of work allows an attempt (`features/account/sign-in/guarded-attempt.ts`): up to `worked` for one account from
 * one network or one known browser, and up to `worked-network` for one network.
 *
 * An IPv6 address counts as its /64 network. Except for reads and writes, its /56 has four times the limit and its /48
 * sixteen times, because one subscriber may have hundreds of /64 networks.
 */
const limits = {
  // A page needs about six reads. A household, or a few bots, never reaches this limit.
  read: { address: per(10, 1_200) },
  // A bot that trades 20 times a second uses a third of this limit.
  write: { address: per(10, 1_200), account: per(10, 600) },
  // Each login costs a password check. One network alone cannot use up an account's attempts, and no stranger can lock
  // out its owner.
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
  // Like a login, but counted by session, so that a stolen session cannot lock out the player's others. New recovery
  // codes cost ten hashes each and are counted by player.
  confirm: {
    address: per(5 * MINUTE, 30),
    account: per(15 * MINUTE, 10),
    // One session alone cannot use up an account's 20 attempts at app codes.
    parts: { code: { account: per(DAY, 10) } },
  },
  // Changes to login methods, two calls for a login by passkey, and one for a guest's daily game. Each costs a row or a
  // signature.
  'sign-in': {
    address: per(10 * MINUTE, 120),
    account: per(10 * MINUTE, 30),
    // Attempts with proof of work from a network and for an account. They are not limited here, but they raise the work
    // for the next attempt.
    parts: { worked: { account: per(HOUR, 1_000_000_000) } },
  },
  // Mails about changes to an account, fewer to an unverified address. Further changes only appear in the account's
  // events. A link is a mail to an unverified address, so both count it. A change of address reveals whether another
  // address is registered.
  mail: {
    account: per(DAY, 20),
    parts: {
      unverified: { account: per(DAY, 5) },
      link: { account: per(DAY, 5) },
      change: { account: per(HOUR, 10) },
    },
  },
  // A household's registrations cost no work. With work, a school class can register, but a farm of accounts cannot,
  // not even with a room's link.
  register: {
    address: per(HOUR, 30),
    parts: { free: { address: per(HOUR, 10) } },
  },
  // Each request costs a hash, perhaps a mail, and gives five attempts at a code. No stranger can prevent the owner
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
  // Each attempt costs a check. The attempts per account, and by everyone, are counted in the database.
  reset: {
    address: per(5 * MINUTE, 30),
    parts: { worked: { account: per(DAY, 5) }, 'worked-network': { account: per(DAY, 100) } },
  },
  // Launches, which everyone's token list shows; declaring a bot, which clears every node's cache; and creating a room
  // or a cup, because cups are listed publicly.
  launch: {
    address: per(10 * MINUTE, 60),
    account: per(10 * MINUTE, 20),
    parts: { fair: { account: per(HOUR, 10) } },
  },
  // Two calls per picture. Each picture costs 5 MB and a decoding.
  upload: { address: per(10 * MINUTE, 120), account: per(10 * MINUTE, 40) },
  // Posts: faster than anyone can type. Accounts in their first day have a lower limit, because their floods are the
  // cheapest.
  talk: {
    address: per(MINUTE, 60),
    account: per(MINUTE, MODERATION_BOUNDS.accountPosts.usual),
    parts: {
      new: { account: per(10 * MINUTE, MODERATION_BOUNDS.newAccountPosts.usual) },
      // Each report may become work for a moderator.
      report: { address: per(HOUR, 120), account: per(HOUR, MODERATION_BOUNDS.accountReports.usual) },
    },
  },
  // Each waiting order costs a row that stays for at least 30 days. Two thousand a day is one every 43 seconds.
  waiting: { account: per(DAY, 2_000) },
  // Each call makes the server call a stranger's server.
  webhook: { address: per(10 * MINUTE, 60), account: per(10 * MINUTE, 30) },
} as const satisfies Readonly<Record<string, Limit>>

type Limits = typeof limits
type PartName<Name extends keyof Limits> = Limits[Name] extends { readonly parts: infer Parts }
  ? `${Name}-${keyof Parts & string}`
  : never

export type LimitName = { [Name in keyof Limits]: Name | PartName<Name> }[keyof Limits]

/** All rules by name, including parts. */
const rules = Object.fromEntries(
  Object.entries<Limit>(limits).flatMap(([name, { parts = {}, ...own }]) => [
    [name, own],
    ...Object.entries(parts).map(([part, partRules]) => [`${name}-${part}`, partRules]),
  ]),
) as Record<LimitName, Rules>

export function getLimitRules(name: LimitName): Rules {
  return rules[name]
}

/** The limits that programs plan with, as `GET /api/parameters` shows them. The others prevent abuse. */
export const shownLimits = (['read', 'write', 'launch', 'upload', 'waiting', 'webhook'] as const).map((name) => ({
  name,
  perAddress: rules[name].address ?? null,
  perAccount: rules[name].account ?? null,
}))

/** Limits that each node counts by itself, because these calls are too frequent to ask another machine each time. */
const COUNTED_PER_NODE: ReadonlySet<LimitName> = new Set(['read', 'write'])
/** Factors by which the limit of an IPv6 address's /56 and /48 exceed the limit of the address. */
const WIDER = [4, 16] as const
/** Max time to wait for Redis, in ms. After that, this node counts by itself. */
const REDIS_ANSWER_MAX_MS = 500
const REDIS_RETRY_MAX_MS = 2_000

/**
 * Counts procedure calls over all transports. Spending sets the `RateLimit-*` headers, and may throw
 * `RateLimitedError`.
 */
export interface RateLimits {
  /** Counts `calls` (default 1) for the client's IP address. Throws `RateLimitedError`. */
  spend(caller: Caller, limit: LimitName, calls?: number): Promise<void>
  /** Counts one call for an account, if the limit has a rule for accounts. Throws `RateLimitedError`. */
  spendAccount(caller: Caller, limit: LimitName, account: string | number): Promise<void>
  /** Reverses one `spendAccount`. */
  refundAccount(limit: LimitName, account: string | number): Promise<void>
  /** Returns the account's number of calls in the current window. */
  count(limit: LimitName, account: string | number): Promise<number>
  /** Changes how many calls an account has per window. */
  setAccountCalls(limit: LimitName, calls: number): void
  close(): Promise<void>
}

/** Limits that count nothing, for load tests and RATE_LIMIT=off. */
export const noRateLimits: RateLimits = {
  spend: async () => {},
  spendAccount: async () => {},
  refundAccount: async () => {},
  count: async () => 0,
  setAccountCalls: () => {},
  close: async () => {},
}

interface RateLimitParts {
  /** Null: every node counts by itself. */
  readonly redisUrl: string | null
  readonly log: Pick<Logger, 'debug'>
  /** Min length of a window in seconds. */
  readonly windowMinS?: number | undefined
  /** Default: half a second. */
  readonly redisAnswerMaxMs?: number
}

/**
 * Creates limits that all nodes share through Redis, if configured. Reads and writes are counted per node. While Redis
 * is down or slow, each process counts in memory.
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

/** Connects to Redis. Fails fast, so that no call waits for Redis while it is down. */
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

/** Asks a Redis server once. Returns why it does not respond, or null if it does. */
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

/** The counters for one rule, by account or IP address. */
interface Limiter {
  readonly name: LimitName
  /** The counters, and this process's own counters for when Redis is down. */
  readonly counters: RateLimiterMemory | RateLimiterRedis
  readonly memory: RateLimiterMemory
  toKey(who: string): string
}

interface LimiterPlace {
  /** Null: this process counts in memory. */
  readonly redis: Redis | null
  readonly windowMinS: number
}

interface Limiters {
  /** Limiters by IP address, and by the networks around an IPv6 address. */
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

/** The lowest remaining number of calls in each caller's headers so far. */
const fewestLeft = new WeakMap<Caller, number>()

/** Sets the headers. If several limits apply, the headers describe the one with the fewest calls left. */
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
