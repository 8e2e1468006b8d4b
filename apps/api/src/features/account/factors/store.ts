import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { Kysely, Transaction } from 'kysely'

type Tx = Transaction<Database>

export async function findUsername(db: Kysely<Database>, userId: UserId): Promise<string> {
  const row = await db.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirstOrThrow()
  return row.username
}

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

/** Replaces all recovery codes of a player. */
export async function replaceRecoveryCodes(
  tx: Tx,
  userId: UserId,
  codes: readonly { readonly selector: string; readonly codeHash: string }[],
): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  const rows = codes.map(({ selector, codeHash }) => ({ user_id: userId, selector, code_hash: codeHash }))
  await tx.insertInto('recovery_codes').values(rows).execute()
}
