import type { WorkPurpose } from '@papermoon/contract/work-challenge'
import type { Context } from '../../../context.ts'
import { ProofOfWorkNeededError, RateLimitedError } from '../../../errors.ts'
import { toNetworkKey } from '../../../security/client-address.ts'
import type { WorkLevel, WorkTask } from '../../../security/proof-of-work/proof-of-work.ts'
import type { Counted, LimitName } from '../../../security/rate-limits.ts'

/**
 * A limit per account for attempts of one kind. For attempts without an account, the limit is per IP address and
 * purpose.
 */
export type LimitCharge = readonly [limit: LimitName, account?: Counted]

/** Numbers of attempts with proof of work within an hour, per network or account, from which the work gets harder. */
const LEVELS_FROM = [3, 10] as const

interface AttemptTarget {
  readonly purpose: WorkPurpose
  /** The account, or another id to which a proof-of-work challenge is bound. */
  readonly subject: string
}

/**
 * One attempt at an action that attackers also try, such as a login. Attempts within the limits are free. Further
 * attempts need a proof of work, so that attackers cannot lock the owner out. Attempts with proof of work have limits
 * that only the caller can use up, such as one for the network and this account. Reset codes are short, so attempts at
 * them also have a limit for the account alone.
 */
export class GuardedAttempt {
  readonly #ctx: Context
  readonly #target: AttemptTarget
  readonly #spent: LimitCharge[] = []
  #hasWorked = false

  constructor(ctx: Context, target: AttemptTarget) {
    this.#ctx = ctx
    this.#target = target
  }

  /** Whether the caller solved a proof of work for this attempt. */
  get hasWorked(): boolean {
    return this.#hasWorked
  }

  /**
   * Counts the attempt against several limits, in order. If a limit is exceeded, requires proof of work. Throws
   * `ProofOfWorkNeededError`.
   */
  async spend(...spendings: readonly LimitCharge[]): Promise<void> {
    for (const spending of spendings) {
      // An attempt with proof of work does not count against the free limits.
      if (this.#hasWorked) return
      await this.#take(spending).catch(async (error: unknown) => {
        if (!(error instanceof RateLimitedError)) throw error
        await this.requireWork(error.retryAfterS)
      })
    }
  }

  /**
   * Verifies the call's proof of work and marks it as used. Without a valid proof, throws `ProofOfWorkNeededError` with
   * a challenge.
   */
  async requireWork(retryAfterS: number): Promise<void> {
    if (this.#hasWorked) return
    const { app, proofOfWork: answer } = this.#ctx
    const task = await this.#createTask()
    if (answer === null || !(await app.accounts.proofOfWork.redeem(answer, task))) {
      throw new ProofOfWorkNeededError(retryAfterS, await app.accounts.proofOfWork.challenge(task))
    }
    this.#hasWorked = true
    // These counters only make the proof of work harder. When a counter is full, nobody is rejected.
    const nobody = { ip: this.#ctx.ip, header: () => {} }
    for (const key of this.#getWorkKeys()) {
      await app.accounts.limits.spendAccount(nobody, 'hourly', key).catch((error: unknown) => {
        if (!(error instanceof RateLimitedError)) throw error
      })
    }
  }

  /**
   * Counts an attempt with proof of work against several limits. Free attempts are not counted. Throws
   * `RateLimitedError`.
   */
  async spendIfWorked(...spendings: readonly LimitCharge[]): Promise<void> {
    if (!this.#hasWorked) return
    for (const spending of spendings) await this.#take(spending)
  }

  /** Gives a successful attempt back, so that only wrong attempts count. */
  async refund(): Promise<void> {
    const { limits } = this.#ctx.app.accounts
    for (const [limit, account] of this.#spent.splice(0)) {
      if (account !== undefined) await limits.refundAccount(limit, account)
    }
  }

  async #take([limit, account]: LimitCharge): Promise<void> {
    const { limits } = this.#ctx.app.accounts
    if (account === undefined) await limits.spendFor(this.#ctx, limit, this.#target.purpose)
    else await limits.spendAccount(this.#ctx, limit, account)
    this.#spent.push([limit, account])
  }

  async #createTask(): Promise<WorkTask> {
    const { app } = this.#ctx
    const counts = await Promise.all(this.#getWorkKeys().map((key) => app.accounts.limits.count('hourly', key)))
    const most = Math.max(...counts)
    const level = LEVELS_FROM.filter((from) => most >= from).length as WorkLevel
    const { purpose, subject } = this.#target
    return {
      purpose,
      subject: `${toNetworkKey(this.#ctx.ip)} ${subject}`,
      level,
      isSecureContext: this.#ctx.isSecureContext(),
    }
  }

  /** Returns the keys of the counters that make the work harder: the network's and the account's. */
  #getWorkKeys(): string[] {
    const { purpose, subject } = this.#target
    return [`work ${purpose} network ${toNetworkKey(this.#ctx.ip)}`, `work ${purpose} account ${subject}`]
  }
}
