import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'

interface NewTotp {
  readonly userId: UserId
  readonly sealed: Buffer
  readonly now: Date
}

/** Stores an unconfirmed secret, which replaces an earlier one. Returns false if a secret is already enabled. */
export async function putTotp(tx: Tx, { userId, sealed, now }: NewTotp): Promise<boolean> {
  const row = await tx
    .insertInto('totp_secrets')
    .values({ user_id: userId, sealed, created_at: now, enabled_at: null, last_step: null })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ sealed, created_at: now }).where('totp_secrets.enabled_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

interface EnabledTotp extends NewTotp {
  /** Time step of the code that confirms the secret. */
  readonly step: number
}

/** Enables an unconfirmed secret; returns false if it was enabled or replaced meanwhile. */
export async function enableTotp(tx: Tx, { userId, sealed, step, now }: EnabledTotp): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp_secrets')
    .set({ enabled_at: now, last_step: step })
    .where('user_id', '=', userId)
    .where('sealed', '=', sealed)
    .where('enabled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function replaceRecoveryCodes(
  tx: Tx,
  userId: UserId,
  codes: readonly { readonly selector: string; readonly codeHash: string }[],
): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  const rows = codes.map(({ selector, codeHash }) => ({ user_id: userId, selector, code_hash: codeHash }))
  await tx.insertInto('recovery_codes').values(rows).execute()
}

export interface TotpRow {
  readonly sealed: Buffer
  readonly createdAt: Date
  readonly enabledAt: Date | null
}

/** Finds a player's TOTP secret, enabled or still in setup. */
export async function findTotp(db: Db, userId: UserId): Promise<TotpRow | undefined> {
  return await db
    .selectFrom('totp_secrets')
    .select(['sealed', 'created_at as createdAt', 'enabled_at as enabledAt'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function hasEnabledTotp(db: Db, userId: UserId): Promise<boolean> {
  return (await findTotp(db, userId))?.enabledAt != null
}

interface UsedStep {
  readonly sealed: Buffer
  readonly step: number
  /**
   * The newly encrypted secret, to store instead of `sealed`. The two texts differ if the encryption key has changed.
   */
  readonly resealed: Buffer
}

/**
 * Marks a time step of an enabled secret as used. Returns false if the time step was already used or the secret
 * changed.
 */
export async function useTotpStep(tx: Tx, userId: UserId, { sealed, step, resealed }: UsedStep): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp_secrets')
    .set({ last_step: step, sealed: resealed })
    .where('user_id', '=', userId)
    .where('sealed', '=', sealed)
    .where('enabled_at', 'is not', null)
    .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Finds the hash of an unused recovery code. */
export async function findRecoveryHash(db: Db, userId: UserId, selector: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('user_id', '=', userId)
    .where('selector', '=', selector)
    .executeTakeFirst()
  return row?.code_hash
}

interface UsedRecoveryCode {
  readonly codeHash: string
  readonly step: number
}

/**
 * Uses up a recovery code. Also uses up the app's code for this time step, because someone who has the lost phone can
 * see that code. Returns false if the recovery code was used or replaced meanwhile.
 */
export async function useRecoveryCode(tx: Tx, userId: UserId, { codeHash, step }: UsedRecoveryCode): Promise<boolean> {
  await sql`update totp_secrets set last_step = greatest(last_step, ${step}) where user_id = ${userId}`.execute(tx)
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes all of an account's second factors. Returns the kinds of factors that the account had. */
export async function deleteSecondFactors(tx: Tx, userId: UserId): Promise<{ hadTotp: boolean; passkeys: number }> {
  const hadTotp = await deleteTotp(tx, userId)
  await tx.deleteFrom('totp_secrets').where('user_id', '=', userId).execute()
  await tx.deleteFrom('passkey_challenges').where('user_id', '=', userId).execute()
  await tx.deleteFrom('passkey_owners').where('user_id', '=', userId).execute()
  const { numDeletedRows } = await tx.deleteFrom('passkeys').where('user_id', '=', userId).executeTakeFirst()
  return { hadTotp, passkeys: Number(numDeletedRows) }
}

/** Removes an account's authenticator app and recovery codes; returns false if there was no app. */
export async function deleteTotp(db: Db, userId: UserId): Promise<boolean> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await db.deleteFrom('totp_tries').where('user_id', '=', userId).execute()
  const { numDeletedRows } = await db
    .deleteFrom('totp_secrets')
    .where('user_id', '=', userId)
    .where('enabled_at', 'is not', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
