import { type Done, isLinkSecret, type ResetPasswordInput } from '@papermoon/contract/auth'
import type { UserId } from '@papermoon/engine'
import { assertNotFrozen } from '../../../caller.ts'
import type { Context } from '../../../context.ts'
import { RateLimitedError } from '../../../errors.ts'
import { toNetworkKey } from '../../../security/client-address.ts'
import { findBudgetSpent, spendBudget } from '../../../security/proof-of-work/proof-of-work.ts'
import { hashSecret } from '../credentials.ts'
import { refundDailyTry, spendDailyTry, type TryList } from '../daily-tries.ts'
import { mailAccountChange } from '../email/account-mail.ts'
import { forgetCredentials } from '../end-credentials.ts'
import { ResetCodeError } from '../errors.ts'
import { recordAccountEvent } from '../records/account-events.ts'
import { requireCookie, trustBrowser } from '../sign-in/begin-session.ts'
import { GuardedAttempt } from '../sign-in/guarded-attempt.ts'
import { findPersonal } from '../store.ts'
import { toEmailKey } from '../username-key.ts'
import { assertStrongPassword } from './password-strength.ts'
import {
  BUDGET_WINDOW_MS,
  changePassword,
  FREE_TRIES_MAX,
  findNewestReset,
  findResetBySecret,
  GUESSES_MAX,
  type OpenReset,
  type PasswordChange,
  refundTry,
  spendTry,
  toAccountKey,
  WORKED_GUESSES_MAX,
} from './reset-store.ts'

/**
 * How long to wait before an attempt without proof of work, in seconds. The wait is an hour, because nobody knows when
 * the other attempts will stop.
 */
const WORK_RETRY_S = 3_600

/**
 * Sets a new password with a reset code. Ends every session, API key and live socket of the player, because an intruder
 * may have created some. Undoes a requested deletion. After the reset, the account trusts this browser.
 *
 * The browser that requested the reset needs only the code and has five attempts. Any other browser must also name the
 * email address, and shares 15 attempts a day with all others. Attempts beyond these numbers need proof of work. The
 * secret of a mailed link works in every browser.
 *
 * Throws `ResetCodeError` after the same work, whatever is wrong with the code. The function also throws
 * `ProofOfWorkNeededError`, `RateLimitedError`, `WeakPasswordError`, `AccountFrozenError` and `PasswordQueueFullError`.
 */
export async function resetPassword(ctx: Context, input: ResetPasswordInput): Promise<Done> {
  const cookie = requireCookie(ctx, 'reset')
  const tries = new GuardedAttempt(ctx, { purpose: 'reset-password', subject: toSubject(ctx, input.email) })
  await tries.spend(['attempt'])
  const {
    platform: { db, clock },
    accounts: { passwords },
  } = ctx.app
  const { userId, tokenHash } = await findReset(ctx, tries, input)
  await assertNotFrozen(db, userId)
  // Check the new password only after the code, so that strangers learn nothing about passwords. A weak password does
  // not use up the code.
  await assertStrongPassword(input.newPassword, await findPersonal(db, userId))
  const passwordHash = await passwords.hash(ctx.ip, input.newPassword)
  await setPassword(ctx, { userId, tokenHash, passwordHash, now: clock.now() })
  cookie.clear()
  trustBrowser(ctx, passwordHash)
  return { ok: true }
}

/** Returns what a proof of work is bound to: this account, or the reset that this browser requested. */
function toSubject({ cookies: { reset } }: Context, email: string | undefined): string {
  if (email !== undefined) return toEmailKey(email)
  return reset.token === null ? '' : hashSecret(reset.token).toString('base64url')
}

type FoundReset = Pick<PasswordChange, 'userId' | 'tokenHash'>

/** Finds the reset by code or by link secret. Throws `ResetCodeError`. */
async function findReset(ctx: Context, tries: GuardedAttempt, input: ResetPasswordInput): Promise<FoundReset> {
  const { reset, isRight } = isLinkSecret(input.token)
    ? await openBySecret(ctx, input)
    : await openByCode(ctx, tries, input)
  if (isRight && reset !== undefined && reset.userId !== null) return { ...reset, userId: reset.userId }
  recordRefusal(ctx, reset?.userId ?? null)
  throw new ResetCodeError()
}

interface TriedReset {
  readonly reset: OpenReset | undefined
  readonly isRight: boolean
}

/**
 * Finds the reset by its link secret. The number of attempts needs no limit, because nobody can guess 256 random bits.
 */
async function openBySecret({ app }: Context, { token, email }: ResetPasswordInput): Promise<TriedReset> {
  const accountKey = email === undefined ? null : toAccountKey(toEmailKey(email))
  const reset = await findResetBySecret(app.platform.db, {
    secretHash: hashSecret(token),
    accountKey,
    now: app.platform.clock.now(),
  })
  return { reset, isRight: reset !== undefined }
}

/** Functions that give back an attempt that was counted. */
type Refunds = (() => Promise<unknown>)[]

async function openByCode(
  ctx: Context,
  tries: GuardedAttempt,
  { token, email }: ResetPasswordInput,
): Promise<TriedReset> {
  const refunds: Refunds = [() => tries.refund()]
  const giveBack = async () => {
    for (const refund of refunds) await refund()
  }
  try {
    const isLastFree = await spendSharedBudget(ctx, tries, refunds)
    const reset = await openReset(ctx, { tries, refunds, email })
    const isRight = await ctx.app.accounts.passwords.fits(ctx.ip, token, reset?.codeHash ?? undefined)
    if (isRight) await giveBack()
    else if (isLastFree) warnOfSpray(ctx)
    return { reset, isRight }
  } catch (error) {
    // Do not count the attempt, because no code was checked. Attempts for an email address without a reset are counted
    // in the same way, because the remaining budget would otherwise reveal whether there is a reset.
    await giveBack()
    throw error
  }
}

/** Changes the password and ends all credentials. Throws `ResetCodeError` if the reset was used meanwhile. */
async function setPassword(ctx: Context, change: PasswordChange): Promise<void> {
  const { userId } = change
  const ended = await ctx.app.platform.db.transaction().execute(async (tx) => {
    const changed = await changePassword(tx, change)
    if (changed !== null) await recordAccountEvent(ctx.app, ctx, { userId, kind: 'password_reset' }, tx)
    if (changed?.wasDue) await recordAccountEvent(ctx.app, ctx, { userId, kind: 'deletion_undone' }, tx)
    return changed
  })
  if (ended === null) throw new ResetCodeError()
  forgetCredentials(ctx.app, ended)
  mailAccountChange(ctx.app, { userId, kind: 'password_reset', caller: ctx })
  const own = ctx.cookies.session.token === null ? null : hashSecret(ctx.cookies.session.token)
  if (ended.sessions.some((hash) => own?.equals(hash))) requireCookie(ctx, 'session').clear()
}

/**
 * Records the rejection. Callers do not await this, because the response time must not reveal whether there was a
 * reset.
 */
function recordRefusal(ctx: Context, userId: UserId | null): void {
  if (userId !== null) void recordAccountEvent(ctx.app, ctx, { userId, kind: 'reset_refused' })
  else ctx.app.accounts.securityLog.refused({ kind: 'reset_refused', userId: null, ip: ctx.ip })
}

interface Opening {
  readonly tries: GuardedAttempt
  readonly refunds: Refunds
  readonly email: string | undefined
}

/**
 * Finds the reset to check a code against, and counts one attempt. Throws `ProofOfWorkNeededError` and
 * `RateLimitedError`.
 */
async function openReset(ctx: Context, { tries, refunds, email }: Opening): Promise<OpenReset | undefined> {
  const { db, clock } = ctx.app.platform
  const now = clock.now()
  const emailKey = email === undefined ? null : toEmailKey(email)
  const accountKey = emailKey === null ? null : toAccountKey(emailKey)
  if (ctx.cookies.reset.token !== null) {
    const own = await spendTry(db, { tokenHash: hashSecret(ctx.cookies.reset.token), accountKey, now })
    if (own !== undefined) {
      refunds.push(() => refundTry(db, own.tokenHash))
      return own
    }
  }
  if (emailKey === null || accountKey === null) return undefined
  await spendSharedGuess(ctx, tries, { emailKey, accountKey, now })
  refunds.push(() => refundDailyTry(db, toGuesses(accountKey), now))
  return await findNewestReset(db, accountKey, now)
}

interface SharedGuess {
  readonly emailKey: string
  readonly accountKey: Buffer
  readonly now: Date
}

function toGuesses(accountKey: Buffer): TryList {
  return { table: 'password_reset_guesses', key: { account_key: accountKey } }
}

/**
 * Counts an attempt by a browser that lacks the reset's cookie, against a limit per account. Further attempts require
 * proof of work. Throws `ProofOfWorkNeededError` and `RateLimitedError`.
 */
async function spendSharedGuess(
  ctx: Context,
  tries: GuardedAttempt,
  { emailKey, accountKey, now }: SharedGuess,
): Promise<void> {
  const { db } = ctx.app.platform
  const network = toNetworkKey(ctx.ip)
  const guesses = toGuesses(accountKey)
  if (!tries.hasWorked) {
    const waitS = await spendDailyTry(db, guesses, now, GUESSES_MAX)
    if (waitS === null) return
    await tries.requireWork(waitS)
    await tries.spendIfWorked(['daily', { key: `reset ${network}`, most: 100 }])
  }
  await tries.spendIfWorked(['daily', { key: `reset ${emailKey} ${network}`, most: 5 }])
  const waitS = await spendDailyTry(db, guesses, now, WORKED_GUESSES_MAX)
  if (waitS !== null) throw new RateLimitedError(waitS)
}

/**
 * Counts one attempt in the budget that all callers on all nodes share. The budget is needed, because codes are short,
 * and someone who tries many accounts once each reaches no other limit. Attempts beyond the budget require proof of
 * work. Returns whether this was the last attempt that needed no proof of work. Throws `ProofOfWorkNeededError` and
 * `RateLimitedError`.
 */
async function spendSharedBudget(ctx: Context, tries: GuardedAttempt, refunds: Refunds): Promise<boolean> {
  const { db, clock, config } = ctx.app.platform
  if (!config.rateLimit) return false
  const budget = { name: 'reset codes', lengthMs: BUDGET_WINDOW_MS }
  // Check the budget first, so that a rejected attempt writes nothing.
  if ((await findBudgetSpent(db, budget, clock.now())) >= FREE_TRIES_MAX) await tries.requireWork(WORK_RETRY_S)
  const spent = await spendBudget(db, { ...budget, amount: 1 }, clock.now())
  refunds.push(() => spendBudget(db, { ...budget, amount: -1 }, clock.now()))
  if (spent > FREE_TRIES_MAX) await tries.requireWork(WORK_RETRY_S)
  await tries.spendIfWorked(['daily', { key: `reset ${toNetworkKey(ctx.ip)}`, most: 100 }])
  return spent === FREE_TRIES_MAX
}

function warnOfSpray({ app }: Context): void {
  const detail = { tries: FREE_TRIES_MAX, hours: BUDGET_WINDOW_MS / 3_600_000 }
  app.accounts.securityLog.refused({ kind: 'reset_codes_sprayed', userId: null, ip: null, detail })
}
