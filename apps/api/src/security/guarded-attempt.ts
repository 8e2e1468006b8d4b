import type { Context } from '../context.ts'
import { ProofOfWorkNeededError, RateLimitedError } from '../errors.ts'
import { toNetworkKey } from './client-address.ts'
import type { WorkPurpose } from './proof-of-work/challenge.ts'
import type { WorkLevel, WorkTask } from './proof-of-work/proof-of-work.ts'
import type { LimitName } from './rate-limits.ts'

/** A limit to count a try against: of an account (or whatever `key` names), or of the caller's address. */
export type LimitCharge = readonly [limit: LimitName, key?: string]

/** Tries with work in an hour, of a network or an account, from which the next level on is asked for. */
const LEVELS_FROM = [3, 10] as const

interface GuardedTry {
  readonly purpose: WorkPurpose
  /** Whose account is tried, or whatever else a puzzle is to be good for alone. */
  readonly subject: string
}

/**
 * One try at something that strangers try, too. Within its limits it is free; past one of them it needs a proof of work, which
 * nobody can keep somebody else from giving. What tries with work may do is bounded by what is the caller's own: their
 * network with this account, never the account alone.
 */
export class GuardedAttempt {
  readonly #ctx: Context
  readonly #try: GuardedTry
  readonly #spent: LimitCharge[] = []
  #hasWorked = false

  constructor(ctx: Context, guarded: GuardedTry) {
    this.#ctx = ctx
    this.#try = guarded
  }

  /** Whether the try has cost work. */
  get hasWorked(): boolean {
    return this.#hasWorked
  }

  /** Counts the try against limits, in order; past one, uses up the proof that came along. Throws `ProofOfWorkNeededError`. */
  async spend(...spendings: readonly LimitCharge[]): Promise<void> {
    for (const spending of spendings) {
      // What was paid for with work leaves what is free to others.
      if (this.#hasWorked) return
      await this.#take(spending).catch(async (error: unknown) => {
        if (!(error instanceof RateLimitedError)) throw error
        await this.requireWork(error.retryAfterS)
      })
    }
  }

  /** Uses up the proof that came along, unless one was. Throws `ProofOfWorkNeededError`, with a puzzle, where none did. */
  async requireWork(retryAfterS: number): Promise<void> {
    if (this.#hasWorked) return
    const { app, proofOfWork: answer } = this.#ctx
    const task = await this.#task()
    if (answer === null || !(await app.proofOfWork.redeem(answer, task))) {
      throw new ProofOfWorkNeededError(retryAfterS, await app.proofOfWork.challenge(task))
    }
    this.#hasWorked = true
    for (const key of this.#countedUnder()) await app.limits.spendAccount(this.#ctx, 'worked', key)
  }

  /** Counts a try that has cost work against what such tries may do; a free one against nothing. Throws `RateLimitedError`. */
  async spendIfWorked(...spendings: readonly LimitCharge[]): Promise<void> {
    if (!this.#hasWorked) return
    for (const spending of spendings) await this.#take(spending)
  }

  /** Gives back what was counted: the try was right. */
  async refund(): Promise<void> {
    const { limits } = this.#ctx.app
    for (const [limit, key] of this.#spent.splice(0)) {
      if (key !== undefined) await limits.refundAccount(limit, key)
    }
  }

  async #take([limit, key]: LimitCharge): Promise<void> {
    const { limits } = this.#ctx.app
    if (key === undefined) await limits.spend(this.#ctx, limit)
    else await limits.spendAccount(this.#ctx, limit, key)
    this.#spent.push([limit, key])
  }

  async #task(): Promise<WorkTask> {
    const { app, isSecureContext } = this.#ctx
    const counts = await Promise.all(this.#countedUnder().map((key) => app.limits.count('worked', key)))
    const most = Math.max(...counts)
    const level = LEVELS_FROM.filter((from) => most >= from).length as WorkLevel
    const { purpose, subject } = this.#try
    return { purpose, subject: `${toNetworkKey(this.#ctx.ip)} ${subject}`, level, isSecureContext }
  }

  /** Tries of one network, and at one account: either alone makes the next one dearer. */
  #countedUnder(): string[] {
    const { purpose, subject } = this.#try
    return [`${purpose} network ${toNetworkKey(this.#ctx.ip)}`, `${purpose} account ${subject}`]
  }
}
