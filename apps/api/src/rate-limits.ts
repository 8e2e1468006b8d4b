import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { addressKey } from './client-address.ts'
import type { Context } from './context.ts'
import { RateLimitedError } from './errors.ts'

/** Who is counted, and told how much is left. */
type Caller = Pick<Context, 'ip' | 'header'>

/** What is counted apart: calls of a kind, or of one dear procedure. */
export type LimitName =
  | 'read'
  | 'write'
  | 'login'
  | 'login-here'
  | 'login-known'
  | 'confirm'
  | 'passkey'
  | 'second-factor'
  | 'email-link'
  | 'notice'
  | 'notice-unverified'
  | 'register'
  | 'forgot'
  | 'forgot-here'
  | 'forgot-known'
  | 'reset'
  | 'launch'
  | 'upload'

interface Rule {
  readonly calls: number
  readonly seconds: number
}

interface Rules {
  /** Of one address, all its players and guests together. */
  readonly address?: Rule
  /** Of one player; of one e-mail address where nobody is signed in yet. */
  readonly account?: Rule
}

/**
 * Calls, not HTTP requests: a batch costs what its parts cost. Every call counts as a read or a write, the dear
 * ones against their own limit too; a page of a list as one more read for every 50 tokens it may hold.
 *
 * | limit | of an address | of an account | why |
 * |---|---|---|---|
 * | read | 1,200 in 10 s | | a page needs some six; a household, or a few bots, never meets it |
 * | write | 1,200 in 10 s | 600 in 10 s | a bot trading 20 times a second uses a third |
 * | login | 30 in 5 min | 30 in 15 min | each costs a password check; of an account only wrong ones count, from wherever |
 * | login-here | | 10 in 15 min | wrong ones from one address: it alone cannot use up an account's 30 |
 * | login-known | | 10 in 15 min | wrong ones of a browser that signed in before: no stranger keeps the owner out |
 * | confirm | 30 in 5 min | 10 in 15 min | as a login; wrong passwords of one session: another one of the player's is not kept waiting |
 * | passkey | 60 in 5 min | | two calls a login; each costs a row or a signature |
 * | second-factor | 120 in 10 min | 30 in 10 min | changes to how one signs in; recovery codes cost ten hashes |
 * | email-link | | 5 in 24 h | mails to an address that nobody has verified; of the account, and of the address it goes to |
 * | notice | | 20 in 24 h | mails about what was done with an account; beyond, its events tell |
 * | notice-unverified | | 5 in 24 h | the same, to an address that may be a stranger's |
 * | register | 30 in 1 h | | a class room passes, a farm of accounts does not |
 * | forgot | 30 in 15 min | 20 in 24 h | each costs a hash, maybe a mail, and gives five tries at a code; of an account those of strangers, from wherever |
 * | forgot-here | | 4 in 24 h | strangers' from one address: it alone cannot use up an account's 20 |
 * | forgot-known | | 10 in 24 h | those of a browser that signed in before: no stranger keeps the owner from a new password |
 * | reset | 30 in 5 min | | each costs a check; an account's tries are counted in the database |
 * | launch | 60 in 10 min | 20 in 10 min | the list of tokens is everybody's |
 * | upload | 120 in 10 min | 40 in 10 min | two calls a picture; each costs 5 MB and a decoding |
 */
const rules: Record<LimitName, Rules> = {
  read: { address: { calls: 1_200, seconds: 10 } },
  write: { address: { calls: 1_200, seconds: 10 }, account: { calls: 600, seconds: 10 } },
  login: { address: { calls: 30, seconds: 300 }, account: { calls: 30, seconds: 900 } },
  'login-here': { account: { calls: 10, seconds: 900 } },
  'login-known': { account: { calls: 10, seconds: 900 } },
  confirm: { address: { calls: 30, seconds: 300 }, account: { calls: 10, seconds: 900 } },
  passkey: { address: { calls: 60, seconds: 300 } },
  'second-factor': { address: { calls: 120, seconds: 600 }, account: { calls: 30, seconds: 600 } },
  'email-link': { account: { calls: 5, seconds: 86_400 } },
  notice: { account: { calls: 20, seconds: 86_400 } },
  'notice-unverified': { account: { calls: 5, seconds: 86_400 } },
  register: { address: { calls: 30, seconds: 3_600 } },
  forgot: { address: { calls: 30, seconds: 900 }, account: { calls: 20, seconds: 86_400 } },
  'forgot-here': { account: { calls: 4, seconds: 86_400 } },
  'forgot-known': { account: { calls: 10, seconds: 86_400 } },
  reset: { address: { calls: 30, seconds: 300 } },
  launch: { address: { calls: 60, seconds: 600 }, account: { calls: 20, seconds: 600 } },
  upload: { address: { calls: 120, seconds: 600 }, account: { calls: 40, seconds: 600 } },
}

/** Counts procedure calls over all doors. To spend may throw `RateLimitedError`, and sets the `RateLimit-*` headers. */
export interface RateLimits {
  /** Counts one call of the client's address, or as many as a dear one is worth. */
  spend(caller: Caller, limit: LimitName, calls?: number): Promise<void>
  /** Counts one call of an account, where the limit has a rule for accounts. */
  spendAccount(caller: Caller, limit: LimitName, account: string | number): Promise<void>
  /** Gives back a call of an account that was spent and is not to count after all. */
  refundAccount(limit: LimitName, account: string | number): Promise<void>
}

/** Counts nothing: for load and tests. */
export const noRateLimits: RateLimits = {
  spend: async () => {},
  spendAccount: async () => {},
  refundAccount: async () => {},
}

/** Limits counted in this process's memory; every node of several counts for itself. */
export function createRateLimits(): RateLimits {
  const names = Object.keys(rules) as LimitName[]
  const limiters = new Map(names.map((name) => [name, limitersOf(name)]))
  return {
    spend: async (caller, limit, calls) => spend(caller, limiters.get(limit)?.address, addressKey(caller.ip), calls),
    spendAccount: async (caller, limit, account) => spend(caller, limiters.get(limit)?.account, String(account)),
    refundAccount: async (limit, account) => void (await limiters.get(limit)?.account?.reward(String(account))),
  }
}

function limitersOf(name: LimitName): { address?: RateLimiterMemory; account?: RateLimiterMemory } {
  const { address, account } = rules[name]
  return { ...(address && { address: limiterOf(address) }), ...(account && { account: limiterOf(account) }) }
}

function limiterOf({ calls, seconds }: Rule): RateLimiterMemory {
  return new RateLimiterMemory({ points: calls, duration: seconds })
}

async function spend(caller: Caller, limiter: RateLimiterMemory | undefined, key: string, calls = 1): Promise<void> {
  if (limiter === undefined) return
  try {
    tellIfTightest(caller, limiter.points, await limiter.consume(key, calls))
  } catch (spent) {
    if (!(spent instanceof RateLimiterRes)) throw spent
    tellIfTightest(caller, limiter.points, spent)
    throw new RateLimitedError(secondsOf(spent))
  }
}

/** The fewest calls left that each call was told of so far. */
const told = new WeakMap<Caller, number>()

/** Of several limits the headers tell the one that ends first. */
function tellIfTightest(caller: Caller, calls: number, state: RateLimiterRes): void {
  if (state.remainingPoints > (told.get(caller) ?? Number.POSITIVE_INFINITY)) return
  told.set(caller, state.remainingPoints)
  caller.header('RateLimit-Limit', String(calls))
  caller.header('RateLimit-Remaining', String(state.remainingPoints))
  caller.header('RateLimit-Reset', String(secondsOf(state)))
}

function secondsOf(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / 1_000))
}
