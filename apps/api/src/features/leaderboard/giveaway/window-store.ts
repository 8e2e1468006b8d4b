import type { Db, Tx, WindowWinnersTable } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Selectable, sql } from 'kysely'
import { MAY_RANK } from '../../../database/conditions.ts'
import { LOCK_IDS } from '../../../database/take-lock.ts'
import type { GiveawayWindow } from './giveaway-window.ts'

/** Holds a lock until the transaction ends, so that only one node at a time closes windows. */
export async function lockClosing(tx: Tx, timeoutMs: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(timeoutMs)}, true)`.execute(tx)
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_IDS.windowClosing)})`.execute(tx)
}

/**
 * Returns names of the transactions that write accounts or hold locks to write them. Each name is used only once. A
 * batch of the engine is in the list from before it reads the clock until its commit is visible.
 */
export async function accountWriters(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct virtualtransaction as name from pg_locks
     where locktype = 'relation' and relation = 'accounts'::regclass and mode in ('RowShareLock', 'RowExclusiveLock')
       and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows.map((row) => row.name)
}

/**
 * Finds the starts of windows that are not recorded, oldest first, from the first launch to the window that starts at
 * `last`.
 */
export async function findOpenWindows(db: Db, last: Date, most: number): Promise<Date[]> {
  const { rows } = await sql<{ since: Date }>`
    select since from generate_series(
        date_bin('6 hours', (select min(created_at) from tokens), timestamptz 'epoch'), ${last}::timestamptz, '6 hours') since
     where not exists (select from giveaway_windows where started_at = since)
     order by since limit ${most}`.execute(db)
  return rows.map((row) => row.since)
}

/** Returns the time of the first launch, or null. */
export async function firstLaunchAt(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('tokens')
    .select((select) => select.fn.min<Date | null>('created_at').as('at'))
    .executeTakeFirstOrThrow()
  return row.at
}

export async function isRecorded(db: Db, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('giveaway_windows')
    .select('started_at')
    .where('started_at', '=', since)
    .executeTakeFirst()
  return row !== undefined
}

/** A recorded winner of a window, without the window's start. */
export type RecordedWinner = Omit<Selectable<WindowWinnersTable>, 'window_started_at'>

export async function recordWindow(
  tx: Tx,
  { since }: GiveawayWindow,
  { closedAt, winners }: { readonly closedAt: Date; readonly winners: readonly RecordedWinner[] },
): Promise<void> {
  await tx.insertInto('giveaway_windows').values({ started_at: since, closed_at: closedAt }).execute()
  if (winners.length === 0) return
  const rows = winners.map((winner) => ({ window_started_at: since, ...winner }))
  await tx.insertInto('window_winners').values(rows).execute()
}

/** Finds a window's recorded winners by rank. */
export async function findWinners(db: Db, since: Date): Promise<(RecordedWinner & { readonly may_rank: boolean })[]> {
  return await db
    .selectFrom('window_winners as w')
    .innerJoin('users as u', 'u.id', 'w.user_id')
    .selectAll('w')
    .select(MAY_RANK.as('may_rank'))
    .where('window_started_at', '=', since)
    .orderBy('rank')
    .execute()
}

/** A closed window and its number of winners. */
export interface RecordedWindow {
  readonly since: Date
  readonly closedAt: Date
  readonly winners: number
}

/** Finds closed windows, newest first. */
export async function findRecordedWindows(db: Db, most: number): Promise<RecordedWindow[]> {
  const { rows } = await sql<RecordedWindow>`
    select started_at as since, closed_at as "closedAt",
           (select count(*)::int from window_winners where window_started_at = started_at) as winners
      from giveaway_windows order by started_at desc limit ${most}`.execute(db)
  return rows
}

/**
 * Counts, for each player, the accounts that had the same wallet when the player registered, including the player's.
 * Younger accounts do not count, because winners' wallets are public, and registering with one must not harm its owner.
 * Ignores case, because some chains write one address in several ways, and no two addresses differ only in case.
 */
export async function countWalletAccounts(db: Db, ids: readonly UserId[]): Promise<Map<UserId, number>> {
  const { rows } = await sql<{ id: UserId; count: number }>`
    select u.id, count(*)::int as count from users u join users other on lower(other.wallet) = lower(u.wallet)
           and (other.created_at, other.id) <= (u.created_at, u.id)
     where u.id = any(${ids}::int[]) group by u.id`.execute(db)
  return new Map(rows.map((row) => [row.id, row.count]))
}
