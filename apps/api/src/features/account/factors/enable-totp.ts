import type { EnableTotpInput, RecoveryCodes, TotpSetup } from '@papermoon/contract/second-factor'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { mailAccountChange } from '../../../accounts/account-mail.ts'
import { lockSession } from '../../../accounts/lock-session.ts'
import { requireRecentProof } from '../../../accounts/step-up.ts'
import type { Context } from '../../../context.ts'
import { findUsername } from '../store.ts'
import { SecondFactorOnError, SetupExpiredError, WrongCodeError } from './errors.ts'
import { hashRecoveryCodes } from './hash-recovery-codes.ts'
import { toTotpPurpose } from './second-factor.ts'
import { enableTotp as enable, findTotp, putTotp, replaceRecoveryCodes } from './store.ts'
import { describeTotp, findTotpStep, newTotpSecret } from './totp.ts'

/** How long a secret can be confirmed. */
const SETUP_MS = 15 * 60_000

/**
 * Confirms that the player's app has the secret: from then on a login needs a code. Returns the recovery codes. Throws
 * `ConfirmationNeededError`, `WrongCodeError`, `SetupExpiredError`, `SecondFactorOnError` and `PasswordQueueFullError`.
 */
export async function enableTotp(ctx: Context, userId: UserId, { code }: EnableTotpInput): Promise<RecoveryCodes> {
  await requireRecentProof(ctx)
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
  await app.platform.db.transaction().execute(async (tx) => {
    await lockSession(tx, ctx, userId)
    if (!(await enable(tx, { userId, sealed: totp.sealed, step, now }))) throw new SetupExpiredError()
    await replaceRecoveryCodes(tx, userId, stored)
    await recordAccountEvent(app, ctx, { userId, kind: 'totp_enabled' }, tx)
  })
  mailAccountChange(app, { userId, kind: 'totp_enabled', caller: ctx })
  return { recoveryCodes: shown }
}

/**
 * Creates a secret for an authenticator app. Logins need no code until `enableTotp` confirms it. Throws
 * `ConfirmationNeededError` and `SecondFactorOnError`.
 */
export async function beginTotp(ctx: Context, userId: UserId): Promise<TotpSetup> {
  await requireRecentProof(ctx)
  const {
    platform: { db, clock },
    accounts: { secrets },
  } = ctx.app
  const secret = newTotpSecret()
  const sealed = await secrets.seal(secret, toTotpPurpose(userId))
  await db.transaction().execute(async (tx) => {
    await lockSession(tx, ctx, userId)
    if (!(await putTotp(tx, { userId, sealed, now: clock.now() }))) throw new SecondFactorOnError()
  })
  return describeTotp(secret, await findUsername(db, userId))
}
