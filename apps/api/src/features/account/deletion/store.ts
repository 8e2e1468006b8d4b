import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { type EndedCredentials, endCredentials } from '../end-credentials.ts'
import { personalTables } from './personal-tables.ts'

/** Name that replaces a deleted account's username. The name is reserved, so that no player can register it. */
export const DELETED_NAME = 'deleted player'
/** How long a winner's wallet is stored after its window, in days, so that the reward can be sent. */
const WINNERS_WALLET_DAYS = 90

/**
 * Sets the time of deletion unless it is already set, and the choice about posts. Returns the time of deletion; returns
 * null for an account that is already deleted.
 */
export async function setDeletionDue(
  tx: Tx,
  userId: UserId,
  { dueAt, keepPosts }: { readonly dueAt: Date; readonly keepPosts: boolean },
): Promise<Date | null> {
  const row = await tx
    .updateTable('users')
    .set((user) => ({
      deletion_due_at: sql<Date>`coalesce(${user.ref('deletion_due_at')}, ${dueAt})`,
      keeps_posts: keepPosts,
    }))
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .returning('deletion_due_at')
    .executeTakeFirst()
  return row?.deletion_due_at ?? null
}

/** Removes the time of deletion; returns false if none was set. */
export async function clearDeletionDue(tx: Tx, userId: UserId): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ deletion_due_at: null })
    .where('id', '=', userId)
    .where('deletion_due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Locks the account that has been due for longest and that no other node is deleting; returns null if there is none.
 */
export async function lockDueAccount(tx: Tx, now: Date): Promise<UserId | null> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('deletion_due_at', '<=', now)
    // Skip frozen accounts, because their owners cannot undo the deletion.
    .where('standing', '<>', 'frozen')
    .orderBy('deletion_due_at')
    .limit(1)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row === undefined ? null : (row.id as UserId)
}

/** Deletes a player's rows in every table marked `erase`. */
export async function eraseRows(tx: Tx, userId: UserId): Promise<EndedCredentials> {
  const ended = await endCredentials(tx, userId)
  for (const { table, owner, onDeletion } of personalTables) {
    if (onDeletion !== 'erase') continue
    await sql`delete from ${sql.table(table)} where ${sql.ref(owner)} = ${userId}`.execute(tx)
  }
  return ended
}

/**
 * Removes a player's personal data, so that the username and email address become available again. The new keys cannot
 * belong to anyone, because usernames' keys have no capitals and email addresses have no spaces.
 */
export async function anonymize(tx: Tx, userId: UserId): Promise<void> {
  const { keeps_posts } = await tx
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
      emoji: null,
      about: null,
      standing_reason: null,
      deletion_due_at: null,
      deleted_at: sql<Date>`now()`,
    })
    .where('id', '=', userId)
    .returning('keeps_posts')
    .executeTakeFirstOrThrow()
  await erasePosts(tx, userId, keeps_posts ? sql`state <> 'shown'` : sql`true`)
  await sql`delete from follows where kind = 'player' and target_id = ${userId}`.execute(tx)
  await endWaitingOrders(tx, userId, { cause: 'ACCOUNT_DELETED' })
  await tx.updateTable('window_winners').set({ username: DELETED_NAME }).where('user_id', '=', userId).execute()
}

/**
 * Deletes the texts of those posts of a player that `which` selects, in both markets. Gives the posts new positions, so
 * that open pages notice the deletion.
 */
async function erasePosts(tx: Tx, userId: UserId, which: RawBuilder<unknown>): Promise<void> {
  for (const schema of ['public', 'fairs']) {
    const posts = sql.table(`${schema}.posts`)
    await sql`
      with shown as (select parent_id, count(*)::int as count from ${posts}
        where user_id = ${userId} and state = 'shown' and parent_id is not null and ${which} group by parent_id)
      update ${posts} p set replies = p.replies - shown.count from shown where p.id = shown.parent_id`.execute(tx)
    await sql`
      update ${posts} set state = 'deleted', text = '', mentions = '{}' where user_id = ${userId} and ${which}`.execute(
      tx,
    )
    await sql`
      update ${posts} set changed_position = -id
       where user_id = ${userId} and position is not null`.execute(tx)
  }
}

/** Finds players who were deleted within the last hour. After an hour, every call that was running has ended. */
export async function findJustDeleted(db: Db): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select id from users where deleted_at > now() - interval '1 hour'`.execute(db)
  return rows.map((row) => row.id)
}

/** Deletes deleted players' wallets from windows older than 90 days. */
export async function eraseOldWallets(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - WINNERS_WALLET_DAYS * 24 * 3_600_000)
  await sql`
    update window_winners w set wallet = '' from users u
     where u.id = w.user_id and u.deleted_at is not null and w.wallet <> '' and w.window_started_at < ${before}`.execute(
    db,
  )
}

interface Ending {
  /** The error code that says why the orders end. */
  readonly cause: string
  /** If true, ends only buys. Orders to sell, including stops, stay open. */
  readonly onlyBuys?: boolean
  /** The account in a fair whose orders to end. If no account is given, the orders of all the player's accounts end. */
  readonly fairAccountId?: number
}

/**
 * Ends a player's waiting orders, at most 50 in each market. If one of the orders is just being filled, the engine
 * notices that it has ended, and starts again without it.
 */
export async function endWaitingOrders(
  tx: Tx,
  userId: UserId,
  { cause, onlyBuys = false, fairAccountId }: Ending,
): Promise<void> {
  for (const schema of fairAccountId === undefined ? ['public', 'fairs'] : ['fairs']) {
    const [orders, pools] = [sql.table(`${schema}.waiting_orders`), sql.table(`${schema}.pools`)]
    await sql`
      with held as materialized (
        select id from ${orders} where user_id = ${userId} and state = 'waiting' and (kind = 'buy' or ${!onlyBuys})
          and (${fairAccountId ?? null}::int is null or account_id = ${fairAccountId ?? null}::int) for update
      )
      update ${orders} w set state = 'cancelled', cause = ${cause},
             ended_at = greatest(clock_timestamp(), w.placed_at, p.last_event_at),
             position = -w.id
        from held, ${pools} p where w.id = held.id and p.token_id = w.token_id`.execute(tx)
  }
}
