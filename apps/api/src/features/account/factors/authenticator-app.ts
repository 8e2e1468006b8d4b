import type {
  EnableTotpInput,
  RecoveryCodes,
  SecondFactorStatus,
  SwitchedOff,
  TotpSetup,
} from '@papermoon/contract/second-factor'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { App, Context } from '../../../context.ts'
import { aboutPlayer, appendAct } from '../../moderation/public.ts'
import { changeAccount } from '../change-account.ts'
import { FactorMissingError, findHasFactor, requireFactorProof } from '../step-up.ts'
import { countOwn, findUsername } from '../store.ts'
import {
  describeTotp,
  findTotpStep,
  formatRecoveryCode,
  getSelector,
  newRecoveryCodes,
  newTotpSecret,
  SecondFactorOffError,
  SecondFactorOnError,
  SetupExpiredError,
  toTotpPurpose,
  WrongCodeError,
} from './second-factor.ts'
import { deleteTotp, enableTotp as enable, findTotp, hasEnabledTotp, putTotp, replaceRecoveryCodes } from './store.ts'

/** How long a new secret can be confirmed, in ms. */
const SETUP_MS = 15 * 60_000

/**
 * Changes an account's second factors. If the account has second factors, the player must prove one of them. A
 * moderator must keep at least one. The account loses its role when it gets its first second factor, because someone
 * who adds it may know only the password. Throws the errors of `changeAccount` and `requireFactorProof`, and
 * `FactorMissingError`.
 */
export const changeFactors: typeof changeAccount = async (ctx, userId, change) =>
  await changeAccount(ctx, userId, async (tx, record) => {
    const { role, hasFactor } = await requireFactorProof(ctx, tx)
    return await change(tx, async (kind, detail) => {
      if (role !== 'player') {
        if (!hasFactor) await endRole(tx, ctx, { userId, as: role })
        else if (!(await findHasFactor(tx, userId))) throw new FactorMissingError()
      }
      await record(kind, detail)
    })
  })

/** Returns whether the player's logins need a second factor, and how many recovery codes are left. */
export async function getStatus({ platform: { db } }: App, userId: UserId): Promise<SecondFactorStatus> {
  const enabledAt = (await findTotp(db, userId))?.enabledAt ?? null
  const recoveryCodesLeft = enabledAt === null ? 0 : await countOwn(db, 'recovery_codes', userId)
  return { isOn: enabledAt !== null, enabledAt: enabledAt?.toISOString() ?? null, recoveryCodesLeft }
}

/**
 * Creates a secret for an authenticator app. Logins need no code until `enableTotp` confirms the secret. Throws
 * `ConfirmationNeededError` and `SecondFactorOnError`.
 */
export async function beginTotp(ctx: Context, userId: UserId): Promise<TotpSetup> {
  const {
    platform: { db, clock },
    accounts: { secrets },
  } = ctx.app
  const secret = newTotpSecret()
  const sealed = await secrets.seal(secret, toTotpPurpose(userId))
  await changeFactors(ctx, userId, async (tx) => {
    if (!(await putTotp(tx, { userId, sealed, now: clock.now() }))) throw new SecondFactorOnError()
  })
  return describeTotp(secret, await findUsername(db, userId))
}

/**
 * Confirms that the player's app has the secret. From then on, the player's logins need a code. Returns new recovery
 * codes. Throws `ConfirmationNeededError`, `WrongCodeError`, `SetupExpiredError`, `SecondFactorOnError` and
 * `PasswordQueueFullError`.
 */
export async function enableTotp(ctx: Context, userId: UserId, { code }: EnableTotpInput): Promise<RecoveryCodes> {
  await requireFactorProof(ctx)
  const { app } = ctx
  const now = app.platform.clock.now()
  const totp = await findTotp(app.platform.db, userId)
  if (totp !== undefined && totp.enabledAt !== null) throw new SecondFactorOnError()
  if (totp === undefined || now.getTime() - totp.createdAt.getTime() > SETUP_MS) throw new SetupExpiredError()
  const secret = await app.accounts.secrets.open(totp.sealed, toTotpPurpose(userId))
  if (secret === null) throw new SetupExpiredError()
  const step = findTotpStep(secret, code, now)
  if (step === null) throw new WrongCodeError()
  const { shown, stored } = await hashRecoveryCodes(ctx)
  await changeFactors(ctx, userId, async (tx, record) => {
    if (!(await enable(tx, { userId, sealed: totp.sealed, step, now }))) throw new SetupExpiredError()
    await replaceRecoveryCodes(tx, userId, stored)
    await record('totp_enabled')
  })
  return { recoveryCodes: shown }
}

/**
 * Switches the second factor off and deletes the recovery codes. Throws `ConfirmationNeededError`, `SecondFactorOffError` and
 * `FactorMissingError`.
 */
export async function disableTotp(ctx: Context, userId: UserId): Promise<SwitchedOff> {
  await changeFactors(ctx, userId, async (tx, record) => {
    if (!(await deleteTotp(tx, userId))) throw new SecondFactorOffError()
    await record('totp_disabled')
  })
  return { ok: true }
}

/**
 * Replaces the recovery codes with ten new ones. Throws `ConfirmationNeededError`, `SecondFactorOffError` and
 * `PasswordQueueFullError`.
 */
export async function renewRecoveryCodes(ctx: Context, userId: UserId): Promise<RecoveryCodes> {
  await requireFactorProof(ctx)
  if (!(await hasEnabledTotp(ctx.app.platform.db, userId))) throw new SecondFactorOffError()
  const { shown, stored } = await hashRecoveryCodes(ctx)
  await changeFactors(ctx, userId, async (tx, record) => {
    // Another call may have switched the second factor off since the check.
    if (!(await hasEnabledTotp(tx, userId))) throw new SecondFactorOffError()
    await replaceRecoveryCodes(tx, userId, stored)
    await record('recovery_codes_made')
  })
  return { recoveryCodes: shown }
}

/**
 * Creates ten new recovery codes, and returns them with their hashes for the database. Throws `PasswordQueueFullError`.
 */
async function hashRecoveryCodes({ app, ip }: Context) {
  const codes = newRecoveryCodes()
  const stored: { selector: string; codeHash: string }[] = []
  // Hash the codes one by one, because ten hashes at once would delay logins.
  for (const code of codes)
    stored.push({ selector: getSelector(code), codeHash: await app.accounts.passwords.hash(ip, code) })
  return { shown: codes.map(formatRecoveryCode), stored }
}

async function endRole(
  tx: Tx,
  { app }: Context,
  actor: { readonly userId: UserId; readonly as: 'moderator' | 'operator' },
): Promise<void> {
  await tx.updateTable('users').set({ role: 'player' }).where('id', '=', actor.userId).execute()
  const reason = 'The account had no second factor'
  const now = app.platform.clock.now()
  await appendAct(tx, { ...aboutPlayer(actor.userId), actor, act: 'role-player', reason, now })
}
