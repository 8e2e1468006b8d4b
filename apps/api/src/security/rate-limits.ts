import { createHash } from 'node:crypto'
import { MODERATION_BOUNDS } from '@papermoon/contract/admin'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimitedError } from '../errors.ts'
import { toAddressKey, toAddressKeys } from './client-address.ts'

/** The counted caller; `header` sets the RateLimit-* headers of the response. */
interface Caller {
  readonly ip: string
  header(name: string, value: string): void
}

/** `calls` in a window of `seconds`. */
export interface LimitRule {
  readonly calls: number
  readonly seconds: number
}

interface Rules {
  /** Per address, for all its players and guests together. */
  readonly address?: LimitRule
  /** Per player, or per email address before sign-in. */
  readonly account?: LimitRule
}

/** A limit, and stricter or looser ones of the same calls, which are counted under its name and theirs: `login-known`. */
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
 * Limits count calls, not HTTP requests: a batch costs as much as its parts. Every call counts as a read or a write, and
 * expensive ones against their own limit too; a list page counts one more read per 50 tokens requested. Only wrong passwords
 * and codes count against an account. Beyond login, register-free, forgot and reset a proof of work allows an attempt
 * (`features/account/sign-in/guarded-attempt.ts`), within `worked`, of one account from one network or one known browser,
 * and `worked-network`, of one network.
 *
 * An IPv6 address is a /64. But for reads and writes, its /56 has four times the limit and its /48 sixteen times,
 * since one subscriber may have hundreds of addresses.
 */
const limits = {
  // A page needs some six reads; a household, or a few bots, never meets it.
  read: { address: per(10, 1_200) },
  // A bot trading 20 times a second uses a third.
  write: { address: per(10, 1_200), account: per(10, 600) },
  // Each costs a password check. One network alone cannot use up an account's tries, and no stranger keeps its owner out.
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
  // As a login, but counted by session: a stolen one cannot lock out the player's others. New recovery codes cost ten
  // hashes each and are counted by player.
  confirm: {
    address: per(5 * MINUTE, 30),
    account: per(15 * MINUTE, 10),
    // One session alone cannot use up an account's 20 tries at app codes.
    parts: { code: { account: per(DAY, 10) } },
  },
  // Changes to how one signs in, two calls a login by passkey, one a guest's tape; each costs a row or a signature.
  'sign-in': {
    address: per(10 * MINUTE, 120),
    account: per(10 * MINUTE, 30),
    // Attempts with work of a network and of an account: no limit, but they raise the work of the next one.
    parts: { worked: { account: per(HOUR, 1_000_000_000) } },
  },
  // Mails about changes to an account, fewer to an unverified address; further changes are only in its events. A link is
  // a mail to an unverified address, counted by both. A change of address reveals whether another one is registered.
  mail: {
    account: per(DAY, 20),
    parts: {
      unverified: { account: per(DAY, 5) },
      link: { account: per(DAY, 5) },
      change: { account: per(HOUR, 10) },
    },
  },
  // A household's cost no work; with work a class room passes, a farm of accounts does not, nor by the link of a room.
  register: {
    address: per(HOUR, 30),
    parts: { free: { address: per(HOUR, 10) } },
  },
  // Each costs a hash, maybe a mail, and gives five tries at a code. No stranger keeps the owner from a new password.
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
  // Each costs a check; an account's tries, and everyone's, are counted in the database.
  reset: {
    address: per(5 * MINUTE, 30),
    parts: { worked: { account: per(DAY, 5) }, 'worked-network': { account: per(DAY, 100) } },
  },
  // The list of tokens is everyone's. Who declares a bot drops the cached answers of every node.
  // A room or a cup: cups stand in everyone's list.
  launch: {
    address: per(10 * MINUTE, 60),
    account: per(10 * MINUTE, 20),
    parts: { fair: { account: per(HOUR, 10) } },
  },
  // Two calls a picture; each costs 5 MB and a decoding.
  upload: { address: per(10 * MINUTE, 120), account: per(10 * MINUTE, 40) },
  // Faster than anyone types; an account of the first day is slower, whose floods are the cheapest.
  talk: {
    address: per(MINUTE, 60),
    account: per(MINUTE, MODERATION_BOUNDS.accountPosts.usual),
    parts: {
      new: { account: per(10 * MINUTE, MODERATION_BOUNDS.newAccountPosts.usual) },
      // Each may become work for a moderator.
      report: { address: per(HOUR, 120), account: per(HOUR, MODERATION_BOUNDS.accountReports.usual) },
    },
  },
  // Each costs a row that stays for 30 days at least; two thousand a day is one a minute and a half.
  waiting: { account: per(DAY, 2_000) },
  // Each calls a stranger's server.
  webhook: { address: per(10 * MINUTE, 60), account: per(10 * MINUTE, 30) },
} as const satisfies Readonly<Record<string, Limit>>

type Limits = typeof limits
type PartName<Name extends keyof Limits> = Limits[Name] extends { readonly parts: infer Parts }
  ? `${Name}-${keyof Parts & string}`
  : never

export type LimitName = { [Name in keyof Limits]: Name | PartName<Name> }[keyof Limits]

/** By name, parts too. */
const rules = Object.fromEntries(
  Object.entries<Limit>(limits).flatMap(([name, { parts = {}, ...own }]) => [
    [name, own],
    ...Object.entries(parts).map(([part, partRules]) => [`${name}-${part}`, partRules]),
  ]),
) as Record<LimitName, Rules>

export function getLimitRules(name: LimitName): Rules {
  return rules[name]
}

/** The limits that programs plan by, as `GET /api/parameters` shows them; the others are against abuse. */
export const shownLimits = (['read', 'write', 'launch', 'upload', 'waiting', 'webhook'] as const).map((name) => ({
  name,
  perAddress: rules[name].address ?? null,
  perAccount: rules[name].account ?? null,
}))

/** Too frequent to ask another machine about each: a node counts its own. */
const COUNTED_PER_NODE: ReadonlySet<LimitName> = new Set(['read', 'write'])
/** How many times the limit of an address its /56 and its /48 have. */
const WIDER = [4, 16] as const
/** If Redis takes longer, this node counts by itself. */
const REDIS_ANSWER_MAX_MS = 500
const REDIS_RETRY_MAX_MS = 2_000

/** Counts procedure calls over all transports. To spend may throw `RateLimitedError`, and sets the `RateLimit-*` headers. */
export interface RateLimits {
  /** Counts `calls` (default 1) of the client's address. Throws `RateLimitedError`. */
  spend(caller: Caller, limit: LimitName, calls?: number): Promise<void>
  /** Counts one call of an account, if the limit has a rule for accounts. Throws `RateLimitedError`. */
  spendAccount(caller: Caller, limit: LimitName, account: string | number): Promise<void>
  /** Undoes one `spendAccount`. */
  refundAccount(limit: LimitName, account: string | number): Promise<void>
  /** The account's calls counted in the current window. */
  count(limit: LimitName, account: string | number): Promise<number>
  /** Changes how many calls an account has in the window. */
  setAccountCalls(limit: LimitName, calls: number): void
  close(): Promise<void>
}

/** Counts nothing; for load tests and RATE_LIMIT=off. */
export const noRateLimits: RateLimits = {
  spend: async () => {},
  spendAccount: async () => {},
  refundAccount: async () => {},
  count: async () => 0,
  setAccountCalls: () => {},
  close: async () => {},
}

interface RateLimitParts {
  /** Null: every node counts separately. */
  readonly redisUrl: string | null
  readonly log: Pick<Logger, 'debug'>
  /** Lengthens shorter windows. Default: 0. */
  readonly windowMinS?: number | undefined
  /** Default: half a second. */
  readonly redisAnswerMaxMs?: number
}

/**
 * Creates limits that all nodes share through Redis, if configured; reads and writes are counted per node. While Redis is
 * down or slow, each process counts in memory.
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

/** Fails fast: no call waits for Redis while it is down. */
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

/** Asks a Redis once; why it does not answer, or null. */
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

/** The counters of one rule, by account or address. */
interface Limiter {
  readonly name: LimitName
  /** The counters; and those of this process, where Redis is down. */
  readonly counters: RateLimiterMemory | RateLimiterRedis
  readonly memory: RateLimiterMemory
  toKey(who: string): string
}

interface LimiterPlace {
  /** Null: the counters are this process's. */
  readonly redis: Redis | null
  readonly windowMinS: number
}

interface Limiters {
  /** By address, and by the networks around an IPv6 address. */
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

/** Keeps email addresses out of Redis. */
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

/** The lowest remaining count set in each caller's headers so far. */
const fewestLeft = new WeakMap<Caller, number>()

/** If several limits apply, the headers describe the one with the fewest calls left. */
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
