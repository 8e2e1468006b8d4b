import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Kysely, sql, type Transaction } from 'kysely'
import { DELETED_NAME } from '../../../players/deleted-player.ts'
import { personalTables } from './personal-tables.ts'

type Reader = Kysely<Database>
type Tx = Transaction<Database>

/** How long the wallet of a winner is kept after its window, for the giveaway. */
const WINNERS_WALLET_DAYS = 90

/** Says when an account is to be deleted, unless that is said already. Returns the moment; null for one that is gone. */
export async function setDeletionDue(tx: Tx, userId: UserId, dueAt: Date): Promise<Date | null> {
  const row = await tx
    .updateTable('users')
    .set((user) => ({ deletion_due_at: sql<Date>`coalesce(${user.ref('deletion_due_at')}, ${dueAt})` }))
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .returning('deletion_due_at')
    .executeTakeFirst()
  return row?.deletion_due_at ?? null
}

/** Takes that back; false where nobody had asked. */
export async function clearDeletionDue(tx: Tx, userId: UserId): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ deletion_due_at: null })
    .where('id', '=', userId)
    .where('deletion_due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Locks the account that has been due the longest, if any is that no other node deletes right now. */
export async function lockDueAccount(tx: Tx, now: Date): Promise<UserId | null> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('deletion_due_at', '<=', now)
    // Whose account is frozen cannot undo it.
    .where('standing', '<>', 'frozen')
    .orderBy('deletion_due_at')
    .limit(1)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row === undefined ? null : (row.id as UserId)
}

/** What a deletion ended: the hashes of sessions and of API keys. */
export interface EndedCredentials {
  readonly sessions: readonly Buffer[]
  readonly apiKeys: readonly Buffer[]
}

/** Removes all rows of a player that a deletion removes. */
export async function eraseRows(tx: Tx, userId: UserId): Promise<EndedCredentials> {
  const sessions = await tx.deleteFrom('sessions').where('user_id', '=', userId).returning('token_hash').execute()
  const apiKeys = await tx.deleteFrom('api_keys').where('user_id', '=', userId).returning('key_hash').execute()
  for (const { table, owner, onDeletion } of personalTables) {
    if (onDeletion !== 'erase') continue
    await sql`delete from ${sql.table(table)} where ${sql.ref(owner)} = ${userId}`.execute(tx)
  }
  return { sessions: sessions.map((row) => row.token_hash), apiKeys: apiKeys.map((row) => row.key_hash) }
}

/**
 * Leaves nothing of who a player was; name and e-mail are free for others. The keys that take their place can be nobody's: names are
 * compared in small letters, and no e-mail address has a space.
 */
export async function anonymize(tx: Tx, userId: UserId): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      username: DELETED_NAME,
      username_key: `DELETED ${userId}`,
      email: '',
      email_key: `deleted ${userId}`,
      email_verified_at: null,
      wallet: '',
      password_hash: '',
      profile_picture_url: null,
      warning: null,
      standing_reason: null,
      deletion_due_at: null,
      deleted_at: sql<Date>`now()`,
    })
    .where('id', '=', userId)
    .execute()
  await tx.updateTable('window_winners').set({ username: DELETED_NAME }).where('user_id', '=', userId).execute()
}

/** Players who were deleted within the hour: by then whatever was under way, such as a login, is over. */
export async function findJustDeleted(db: Reader): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select id from users where deleted_at > now() - interval '1 hour'`.execute(db)
  return rows.map((row) => row.id)
}

/** Forgets the wallets of deleted players in windows that are over for 90 days. */
export async function eraseOldWallets(db: Reader, now: Date): Promise<void> {
  const before = new Date(now.getTime() - WINNERS_WALLET_DAYS * 24 * 3_600_000)
  await sql`
    update window_winners w set wallet = '' from users u
     where u.id = w.user_id and u.deleted_at is not null and w.wallet <> '' and w.window_started_at < ${before}`.execute(
    db,
  )
}
