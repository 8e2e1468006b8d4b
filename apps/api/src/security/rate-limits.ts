import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimitedError } from '../errors.ts'
import { toAddressKey, toWiderKeys } from './client-address.ts'

/** The counted caller; `header` sets the RateLimit-* headers of the response. */
interface Caller {
  readonly ip: string
  header(name: string, value: string): void
}

/** Separate limits: one for each type of call, and for each expensive procedure. */
export type LimitName =
  | 'read'
  | 'write'
  | 'login'
  | 'login-here'
  | 'login-known'
  | 'login-worked'
  | 'login-worked-network'
  | 'confirm'
  | 'confirm-code'
  | 'passkey'
  | 'second-factor'
  | 'recovery-codes'
  | 'email-link'
  | 'email-change'
  | 'notice'
  | 'notice-unverified'
  | 'register'
  | 'register-free'
  | 'forgot'
  | 'forgot-here'
  | 'forgot-known'
  | 'forgot-worked'
  | 'forgot-worked-network'
  | 'reset'
  | 'reset-worked'
  | 'reset-worked-network'
  | 'worked'
  | 'launch'
  | 'declare-bot'
  | 'upload'
  | 'webhook'

/** `calls` in a window of `seconds`. */
export interface LimitRule {
  readonly calls: number
  readonly seconds: number
}

interface Rules {
  /** Per address, for all its players and guests together. */
  readonly address?: LimitRule
  /** Per player, or per e-mail address before sign-in. */
  readonly account?: LimitRule
}

/** For counters without a limit. */
const NEVER = 1_000_000_000

/**
 * Limits count calls, not HTTP requests: a batch costs as much as its parts. Every call counts as a read or a write, and
 * expensive ones against their own limit too; a list page counts one more read per 50 tokens requested. Beyond limits
 * marked *, a proof of work allows an attempt (`security/guarded-attempt.ts`), within the `…-worked` limits.
 *
 * An IPv6 address is a /64. But for reads and writes, its /56 has four times the limit and its /48 sixteen times: whoever
 * is assigned one has hundreds of addresses.
 *
 * | limit | of an address | of an account | why |
 * |---|---|---|---|
 * | read | 1,200 in 10 s | | a page needs some six; a household, or a few bots, never meets it |
 * | write | 1,200 in 10 s | 600 in 10 s | a bot trading 20 times a second uses a third |
 * | login * | 30 in 5 min | 30 in 15 min | each costs a password check; of an account only wrong ones count, from wherever |
 * | login-here * | | 10 in 15 min | wrong ones from one network: it alone cannot use up an account's 30 |
 * | login-known * | | 10 in 15 min | wrong ones of a browser that signed in before: no stranger keeps the owner out |
 * | login-worked | | 20 in 24 h | wrong ones with work, of one account from one network, or from one known browser |
 * | login-worked-network | | 300 in 1 h | wrong ones with work, from one network |
 * | confirm | 30 in 5 min | 10 in 15 min | as a login; wrong passwords of one session: another one of the player's is not kept waiting |
 * | confirm-code | | 10 in 24 h | wrong app codes of one session: it alone cannot use up an account's 20 |
 * | passkey | 60 in 5 min | | two calls a login, one a guest's tape; each costs a row or a signature |
 * | second-factor | 120 in 10 min | 30 in 10 min | changes to how one signs in |
 * | recovery-codes | 60 in 10 min | 5 in 10 min | each costs ten hashes |
 * | email-link | | 5 in 24 h | mails to an unverified address; per account, and per address that is not its own yet |
 * | email-change | | 10 in 1 h | each reveals whether an address is registered |
 * | notice | | 20 in 24 h | mails about changes to an account; further changes are only in its events |
 * | notice-unverified | | 5 in 24 h | the same, to an unverified address |
 * | register-free * | 10 in 1 h | | a household's cost no work |
 * | register | 30 in 1 h | | with work or without: a class room passes, a farm of accounts does not |
 * | forgot * | 30 in 15 min | 20 in 24 h | each costs a hash, maybe a mail, and gives five tries at a code; of an account those of strangers, from wherever |
 * | forgot-here * | | 4 in 24 h | strangers' from one network: it alone cannot use up an account's 20 |
 * | forgot-known * | | 10 in 24 h | those of a browser that signed in before: no stranger keeps the owner from a new password |
 * | forgot-worked | | 5 in 24 h | with work, for one account from one network, or from one known browser |
 * | forgot-worked-network | | 60 in 1 h | with work, from one network |
 * | reset * | 30 in 5 min | | each costs a check; an account's tries, and everybody's, are counted in the database |
 * | reset-worked | | 5 in 24 h | wrong codes with work, of one account from one network, without the reset's cookie |
 * | reset-worked-network | | 100 in 24 h | wrong codes with work, from one network |
 * | worked | | counted for 1 h | attempts with work of a network and of an account; raises the work of the next one |
 * | launch | 60 in 10 min | 20 in 10 min | the list of tokens is everybody's |
 * | declare-bot | | 10 in 24 h | each drops the cached answers of every node |
 * | upload | 120 in 10 min | 40 in 10 min | two calls a picture; each costs 5 MB and a decoding |
 * | webhook | 60 in 10 min | 30 in 10 min | each calls a stranger's server |
 */
const rules: Record<LimitName, Rules> = {
  read: { address: { calls: 1_200, seconds: 10 } },
  write: { address: { calls: 1_200, seconds: 10 }, account: { calls: 600, seconds: 10 } },
  login: { address: { calls: 30, seconds: 300 }, account: { calls: 30, seconds: 900 } },
  'login-here': { account: { calls: 10, seconds: 900 } },
  'login-known': { account: { calls: 10, seconds: 900 } },
  'login-worked': { account: { calls: 20, seconds: 86_400 } },
  'login-worked-network': { account: { calls: 300, seconds: 3_600 } },
  confirm: { address: { calls: 30, seconds: 300 }, account: { calls: 10, seconds: 900 } },
  'confirm-code': { account: { calls: 10, seconds: 86_400 } },
  passkey: { address: { calls: 60, seconds: 300 } },
  'second-factor': { address: { calls: 120, seconds: 600 }, account: { calls: 30, seconds: 600 } },
  'recovery-codes': { address: { calls: 60, seconds: 600 }, account: { calls: 5, seconds: 600 } },
  'email-change': { account: { calls: 10, seconds: 3_600 } },
  'email-link': { account: { calls: 5, seconds: 86_400 } },
  notice: { account: { calls: 20, seconds: 86_400 } },
  'notice-unverified': { account: { calls: 5, seconds: 86_400 } },
  register: { address: { calls: 30, seconds: 3_600 } },
  'register-free': { address: { calls: 10, seconds: 3_600 } },
  forgot: { address: { calls: 30, seconds: 900 }, account: { calls: 20, seconds: 86_400 } },
  'forgot-here': { account: { calls: 4, seconds: 86_400 } },
  'forgot-known': { account: { calls: 10, seconds: 86_400 } },
  'forgot-worked': { account: { calls: 5, seconds: 86_400 } },
  'forgot-worked-network': { account: { calls: 60, seconds: 3_600 } },
  reset: { address: { calls: 30, seconds: 300 } },
  'reset-worked': { account: { calls: 5, seconds: 86_400 } },
  'reset-worked-network': { account: { calls: 100, seconds: 86_400 } },
  worked: { account: { calls: NEVER, seconds: 3_600 } },
  launch: { address: { calls: 60, seconds: 600 }, account: { calls: 20, seconds: 600 } },
  'declare-bot': { account: { calls: 10, seconds: 86_400 } },
  upload: { address: { calls: 120, seconds: 600 }, account: { calls: 40, seconds: 600 } },
  webhook: { address: { calls: 60, seconds: 600 }, account: { calls: 30, seconds: 600 } },
}

/** The rules of a limit, for the documents that name them. */
export function getLimitRules(name: LimitName): Rules {
  return rules[name]
}

/** A limit as `GET /api/parameters` shows it. */
export interface ShownLimit {
  readonly name: LimitName
  readonly perAddress: LimitRule | null
  readonly perAccount: LimitRule | null
}

/** The limits that programs plan by; the others are against abuse. */
const SHOWN = ['read', 'write', 'launch', 'upload', 'webhook'] as const satisfies LimitName[]

export const shownLimits: readonly ShownLimit[] = SHOWN.map((name) => ({
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
  close(): Promise<void>
}

/** Counts nothing; for load tests and RATE_LIMIT=off. */
export const noRateLimits: RateLimits = {
  spend: async () => {},
  spendAccount: async () => {},
  refundAccount: async () => {},
  count: async () => 0,
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
  const names = Object.keys(rules) as LimitName[]
  const limiters = new Map(
    names.map((name) => [name, createLimiters(name, { redis: COUNTED_PER_NODE.has(name) ? null : redis, windowMinS })]),
  )
  const ofAccount = (limit: LimitName) => limiters.get(limit)?.account
  return {
    spend: async (caller, limit, calls) => {
      const { address, wider } = limiters.get(limit) ?? {}
      await spend(caller, address, toAddressKey(caller.ip), calls)
      const keys = wider === undefined ? null : toWiderKeys(caller.ip)
      for (const [index, key] of (keys ?? []).entries()) await spend(caller, wider?.[index], key, calls)
    },
    spendAccount: async (caller, limit, account) => spend(caller, ofAccount(limit), String(account)),
    refundAccount: async (limit, account) => void (await ofAccount(limit)?.refund(String(account))),
    count: async (limit, account) => (await ofAccount(limit)?.count(String(account))) ?? 0,
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
  readonly calls: number
  /** Rejects with the state if the limit is exceeded. */
  spend(who: string, calls: number): Promise<RateLimiterRes>
  refund(who: string): Promise<unknown>
  count(who: string): Promise<number>
}

interface LimiterPlace {
  /** Null: the counters are this process's. */
  readonly redis: Redis | null
  readonly windowMinS: number
}

interface Limiters {
  readonly address?: Limiter
  /** Of the networks around an IPv6 address. */
  readonly wider?: readonly Limiter[]
  readonly account?: Limiter
}

function createLimiters(name: LimitName, place: LimiterPlace): Limiters {
  const { address, account } = rules[name]
  return {
    ...(address &&
      !COUNTED_PER_NODE.has(name) && {
        wider: WIDER.map((times) =>
          createLimiter({ name, by: `network${times}` }, { ...address, calls: times * address.calls }, place),
        ),
      }),
    ...(address && { address: createLimiter({ name, by: 'address' }, address, place) }),
    ...(account && { account: createLimiter({ name, by: 'account' }, account, place) }),
  }
}

interface Counted {
  readonly name: LimitName
  readonly by: keyof Rules | `network${number}`
}

function createLimiter(
  { name, by }: Counted,
  { calls, seconds }: LimitRule,
  { redis, windowMinS }: LimiterPlace,
): Limiter {
  const duration = Math.max(seconds, windowMinS)
  const options = { keyPrefix: `papermoon:limit:${name}:${by}`, points: calls, duration }
  const memory = new RateLimiterMemory(options)
  const shared =
    redis === null
      ? null
      : new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true, insuranceLimiter: memory })
  const limiter = shared ?? memory
  const toLimiterKey = shared === null ? (who: string) => who : hashKey
  return {
    name,
    calls,
    spend: (who, points) => limiter.consume(toLimiterKey(who), points),
    refund: (who) => limiter.reward(toLimiterKey(who)),
    count: async (who) => (await limiter.get(toLimiterKey(who)))?.consumedPoints ?? 0,
  }
}

/** Keeps e-mail addresses out of Redis. */
function hashKey(who: string): string {
  return createHash('sha256').update(who).digest('base64url')
}

async function spend(caller: Caller, limiter: Limiter | undefined, who: string, calls = 1): Promise<void> {
  if (limiter === undefined) return
  try {
    setTightestHeaders(caller, limiter.calls, await limiter.spend(who, calls))
  } catch (spent) {
    if (!(spent instanceof RateLimiterRes)) throw spent
    setTightestHeaders(caller, limiter.calls, spent)
    throw new RateLimitedError(getRetrySeconds(spent), limiter.name)
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
