import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'

interface NewTotp {
  readonly userId: UserId
  readonly sealed: Buffer
  readonly now: Date
}

/** Stores an unconfirmed secret in place of an earlier one; false where one is enabled. */
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
  /** Time step of the confirming code. */
  readonly step: number
}

/** Enables an unconfirmed secret; false where it was enabled or replaced in between. */
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

const TRIES_WINDOW_MS = 24 * 3_600_000
/** Max wrong codes a day, counted separately for trusted browsers and all others. */
const TRIES_MAX = 20

export interface TotpRow {
  readonly sealed: Buffer
  readonly createdAt: Date
  readonly enabledAt: Date | null
}

/** A player's TOTP secret, enabled or still in setup. */
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
  /** Replaces `sealed`; differs if the encryption key changed. */
  readonly resealed: Buffer
}

/** Spends a time step of an enabled secret; false if it or a later one was spent, or the secret changed. */
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

export interface TotpTry {
  readonly userId: UserId
  /** Whether the account trusts the browser. */
  readonly isKnown: boolean
  readonly now: Date
}

/**
 * Counts an attempt as wrong before its code is checked, so that concurrent attempts are limited too. Returns null, or the
 * time of the oldest counted attempt if the day's limit is reached.
 */
export async function spendTotpTry(db: Db, { userId, isKnown, now }: TotpTry): Promise<Date | null> {
  const since = new Date(now.getTime() - TRIES_WINDOW_MS)
  const { rows } = await sql`
    insert into totp_tries as t (user_id, is_known, tried_at) values (${userId}, ${isKnown}, array[${now}::timestamptz])
    on conflict (user_id, is_known) do update
      set tried_at = array(select at from unnest(t.tried_at) at where at > ${since} order by at) || excluded.tried_at
      where (select count(*) from unnest(t.tried_at) at where at > ${since}) < ${TRIES_MAX}
    returning 1`.execute(db)
  if (rows.length > 0) return null
  const spent = await sql<{ oldest: Date | null }>`
    select min(at) as oldest from totp_tries t, unnest(t.tried_at) at
     where t.user_id = ${userId} and t.is_known = ${isKnown} and at > ${since}`.execute(db)
  return spent.rows[0]?.oldest ?? now
}

/** Undoes `spendTotpTry` for a correct code. */
export async function refundTotpTry(db: Db, { userId, isKnown, now }: TotpTry): Promise<void> {
  await sql`
    update totp_tries
       set tried_at = tried_at[:array_position(tried_at, ${now}) - 1] || tried_at[array_position(tried_at, ${now}) + 1:]
     where user_id = ${userId} and is_known = ${isKnown} and ${now} = any(tried_at)`.execute(db)
}

/** Deletes attempts that no longer count. */
export async function deleteOldTotpTries(db: Db, now: Date): Promise<void> {
  const since = new Date(now.getTime() - TRIES_WINDOW_MS)
  await sql`
    delete from totp_tries where tried_at = '{}' or tried_at[cardinality(tried_at)] <= ${since}`.execute(db)
}

/** When an attempt made at `at` stops counting. */
export function getTryExpiry(at: Date): Date {
  return new Date(at.getTime() + TRIES_WINDOW_MS)
}

/** The hash of an unused recovery code. */
export async function findRecoveryHash(db: Db, userId: UserId, selector: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('user_id', '=', userId)
    .where('selector', '=', selector)
    .executeTakeFirst()
  return row?.code_hash
}

/** Spends a recovery code; false if it was spent or replaced meanwhile. */
export async function useRecoveryCode(tx: Tx, userId: UserId, codeHash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes all second factors of an account. Returns what it had. */
export async function deleteSecondFactors(tx: Tx, userId: UserId): Promise<{ hadTotp: boolean; passkeys: number }> {
  const hadTotp = await deleteTotp(tx, userId)
  await tx.deleteFrom('totp_secrets').where('user_id', '=', userId).execute()
  await tx.deleteFrom('passkey_challenges').where('user_id', '=', userId).execute()
  await tx.deleteFrom('passkey_owners').where('user_id', '=', userId).execute()
  const { numDeletedRows } = await tx.deleteFrom('passkeys').where('user_id', '=', userId).executeTakeFirst()
  return { hadTotp, passkeys: Number(numDeletedRows) }
}

/** Removes the authenticator app and recovery codes of an account; false if there was no app. */
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
