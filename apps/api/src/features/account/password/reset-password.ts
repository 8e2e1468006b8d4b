import { type Done, isLinkSecret, type ResetPasswordInput } from '@papermoon/contract/auth'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { mailAccountChange } from '../../../accounts/account-mail.ts'
import { assertNotFrozen } from '../../../accounts/account-status.ts'
import { hashSecret, toCredentialId } from '../../../accounts/credentials.ts'
import type { Context } from '../../../context.ts'
import { RateLimitedError } from '../../../errors.ts'
import { countSecondsUntil } from '../../../lib/durations.ts'
import { toNetworkKey } from '../../../security/client-address.ts'
import { findBudgetSpent, spendBudget } from '../../../security/proof-of-work/store.ts'
import { toEmailKey } from '../email/email-key.ts'
import { requireResetCookie, requireSessionCookie } from '../sign-in/begin-session.ts'
import { ResetCodeError } from '../sign-in/errors.ts'
import { GuardedAttempt } from '../sign-in/guarded-attempt.ts'
import { trustBrowser } from '../sign-in/trusted-browser.ts'
import { findPersonal } from '../store.ts'
import { assertStrongPassword } from './password-strength.ts'
import {
  BUDGET_WINDOW_MS,
  FREE_TRIES_MAX,
  GUESS_WINDOW_MS,
  GUESSES_MAX,
  toAccountKey,
  WORKED_GUESSES_MAX,
} from './reset-code.ts'
import {
  changePassword,
  findNewestReset,
  findResetBySecret,
  type OpenReset,
  type PasswordChange,
  refundGuess,
  refundTry,
  spendGuess,
  spendTry,
} from './reset-store.ts'

/** An hour, since nobody knows when the other tries stop. */
const WORK_RETRY_S = 3_600

/**
 * Sets a new password with a reset code. Ends every session, API key and live socket of the player, since an intruder
 * may have made some, and undoes a requested deletion. The browser is trusted by the account from then on.
 *
 * The browser that requested the reset needs only the code and has five tries. Any other browser must name the e-mail,
 * too, and shares 15 tries a day with all others; past them it needs proof of work. The secret of a mailed link works in
 * every browser.
 *
 * Throws `ProofOfWorkNeededError`, `RateLimitedError`, `WeakPasswordError`, `AccountFrozenError`,
 * `PasswordQueueFullError`, and `ResetCodeError`, after the same work whatever was wrong with the code.
 */
export async function resetPassword(ctx: Context, input: ResetPasswordInput): Promise<Done> {
  const cookie = requireResetCookie(ctx)
  const tries = new GuardedAttempt(ctx, { purpose: 'reset-password', subject: toSubject(ctx, input.email) })
  await tries.spend(['reset'])
  const {
    platform: { db, clock },
    accounts: { passwords },
  } = ctx.app
  const { userId, tokenHash } = await findReset(ctx, tries, input)
  await assertNotFrozen(db, userId)
  // Checked only after the code, so strangers learn nothing about passwords; a weak one does not use up the code.
  await assertStrongPassword(input.newPassword, await findPersonal(db, userId))
  const passwordHash = await passwords.hash(ctx.ip, input.newPassword)
  await setPassword(ctx, { userId, tokenHash, passwordHash, now: clock.now() })
  cookie.clear()
  trustBrowser(ctx, passwordHash)
  return { ok: true }
}

/** The subject of a proof of work: this account, or the reset that this browser requested. */
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

/** Not counted in the budget: nobody guesses 256 random bits. */
async function openBySecret({ app }: Context, { token, email }: ResetPasswordInput): Promise<TriedReset> {
  const accountKey = email === undefined ? null : toAccountKey(toEmailKey(email))
  const reset = await findResetBySecret(app.platform.db, {
    secretHash: hashSecret(token),
    accountKey,
    now: app.platform.clock.now(),
  })
  return { reset, isRight: reset !== undefined }
}

async function openByCode(
  ctx: Context,
  tries: GuardedAttempt,
  { token, email }: ResetPasswordInput,
): Promise<TriedReset> {
  const spent = await spendSharedBudget(ctx, tries)
  let opened: OpenedReset | undefined
  let isRight: boolean
  try {
    opened = await openReset(ctx, tries, email)
    isRight = await ctx.app.accounts.passwords.fits(ctx.ip, token, opened?.reset?.codeHash ?? undefined)
  } catch (error) {
    // No code was checked, so nothing counts. An e-mail without a reset counts like any other, since what is left of
    // the budget would reveal it.
    await giveBack(spent, opened)
    throw error
  }
  if (isRight) await giveBack(spent, opened)
  else if (spent.isLastFree) warnOfSpray(ctx)
  return { reset: opened?.reset, isRight }
}

async function giveBack(spent: SpentBudget, opened: OpenedReset | undefined): Promise<void> {
  await spent.refund()
  await opened?.refund()
}

/** Changes the password and ends all credentials. Throws `ResetCodeError` where the reset was used in between. */
async function setPassword(ctx: Context, change: PasswordChange): Promise<void> {
  const {
    platform: { db },
    accounts: { sessions, apiKeys },
  } = ctx.app
  const { userId } = change
  const ended = await db.transaction().execute(async (tx) => {
    const changed = await changePassword(tx, change)
    if (changed !== null) await recordAccountEvent(ctx.app, ctx, { userId, kind: 'password_reset' }, tx)
    if (changed?.wasDue) await recordAccountEvent(ctx.app, ctx, { userId, kind: 'deletion_undone' }, tx)
    return changed
  })
  if (ended === null) throw new ResetCodeError()
  for (const hash of ended.sessions) sessions.cache.revoke(toCredentialId(hash))
  for (const hash of ended.apiKeys) apiKeys.cache.revoke(toCredentialId(hash))
  mailAccountChange(ctx.app, { userId, kind: 'password_reset', caller: ctx })
  const own = ctx.cookies.session.token === null ? null : hashSecret(ctx.cookies.session.token)
  if (ended.sessions.some((hash) => own?.equals(hash))) requireSessionCookie(ctx).clear()
}

/** Not awaited: response time must not reveal whether there was a reset. */
function recordRefusal(ctx: Context, userId: UserId | null): void {
  if (userId !== null) void recordAccountEvent(ctx.app, ctx, { userId, kind: 'reset_refused' })
  else ctx.app.accounts.securityLog.refused({ kind: 'reset_refused', userId: null, ip: ctx.ip })
}

interface OpenedReset {
  readonly reset: OpenReset | undefined
  /** Gives the spent try back. */
  readonly refund: () => Promise<void>
}

/** Finds the reset to check a code against, and spends one try. */
async function openReset(
  ctx: Context,
  tries: GuardedAttempt,
  email: string | undefined,
): Promise<OpenedReset | undefined> {
  const { db, clock } = ctx.app.platform
  const now = clock.now()
  const emailKey = email === undefined ? null : toEmailKey(email)
  const accountKey = emailKey === null ? null : toAccountKey(emailKey)
  if (ctx.cookies.reset.token !== null) {
    const own = await spendTry(db, { tokenHash: hashSecret(ctx.cookies.reset.token), accountKey, now })
    if (own !== undefined) return { reset: own, refund: () => refundTry(db, own.tokenHash) }
  }
  if (emailKey === null || accountKey === null) return undefined
  const refund = await spendSharedGuess(ctx, tries, { emailKey, accountKey, now })
  try {
    return { reset: await findNewestReset(db, accountKey, now), refund }
  } catch (error) {
    await refund()
    throw error
  }
}

interface SharedGuess {
  readonly emailKey: string
  readonly accountKey: Buffer
  readonly now: Date
}

/**
 * Spends one of the tries that browsers without the reset's cookie share per account. Past them a try requires proof of
 * work. Returns a function that gives the try back. Throws `ProofOfWorkNeededError` and `RateLimitedError`.
 */
async function spendSharedGuess(
  ctx: Context,
  tries: GuardedAttempt,
  { emailKey, accountKey, now }: SharedGuess,
): Promise<() => Promise<void>> {
  const { db } = ctx.app.platform
  const network = toNetworkKey(ctx.ip)
  const refund = () => refundGuess(db, accountKey, now)
  if (!tries.hasWorked) {
    const oldest = await spendGuess(db, accountKey, now, GUESSES_MAX)
    if (oldest === null) return refund
    await tries.requireWork(countSecondsUntil(oldest.getTime() + GUESS_WINDOW_MS, now))
    await tries.spendIfWorked(['reset-worked-network', network])
  }
  await tries.spendIfWorked(['reset-worked', `${emailKey} ${network}`])
  const oldest = await spendGuess(db, accountKey, now, WORKED_GUESSES_MAX)
  if (oldest !== null) throw new RateLimitedError(countSecondsUntil(oldest.getTime() + GUESS_WINDOW_MS, now))
  return refund
}

interface SpentBudget {
  /** Whether this was the last try without proof of work. */
  readonly isLastFree: boolean
  /** Gives the spent try back. */
  readonly refund: () => Promise<void>
}

/**
 * Spends one try of the budget that all callers on all nodes share: codes are short, and one try at each of many
 * accounts meets no other limit. Past the budget a try requires proof of work. Throws `ProofOfWorkNeededError` and
 * `RateLimitedError`.
 */
async function spendSharedBudget(ctx: Context, tries: GuardedAttempt): Promise<SpentBudget> {
  const { db, clock, config } = ctx.app.platform
  if (!config.rateLimit) return { isLastFree: false, refund: () => tries.refund() }
  const budget = { name: 'reset codes', lengthMs: BUDGET_WINDOW_MS }
  // Checked first, so that a refusal writes nothing.
  if ((await findBudgetSpent(db, budget, clock.now())) >= FREE_TRIES_MAX) await tries.requireWork(WORK_RETRY_S)
  const spent = await spendBudget(db, { ...budget, amount: 1 }, clock.now())
  const refund = async () => {
    await spendBudget(db, { ...budget, amount: -1 }, clock.now())
    await tries.refund()
  }
  try {
    if (spent > FREE_TRIES_MAX) await tries.requireWork(WORK_RETRY_S)
    await tries.spendIfWorked(['reset-worked-network', toNetworkKey(ctx.ip)])
  } catch (error) {
    await refund()
    throw error
  }
  return { isLastFree: spent === FREE_TRIES_MAX, refund }
}

function warnOfSpray({ app }: Context): void {
  const detail = { tries: FREE_TRIES_MAX, hours: BUDGET_WINDOW_MS / 3_600_000 }
  app.accounts.securityLog.refused({ kind: 'reset_codes_sprayed', userId: null, ip: null, detail })
}
