import type { AccountStatus, Db, Tx } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { endWaitingOrders, recordOperatorEvent } from '../account/public.ts'

/** What moderators, hosts and operators' commands can do. The caller of these functions records each act. */

/** Sets a player's warning; null removes it. Returns the previous warning. */
export async function setWarning(
  db: Db,
  userId: UserId,
  { warning, now }: { readonly warning: string | null; readonly now: Date },
): Promise<string | null> {
  if (warning !== null) await recordOperatorEvent(db, { userId, kind: 'warned', detail: { text: warning } }, now)
  const { rows } = await sql<{ warning: string | null }>`
    update users u set warning = ${warning} from (select id, warning from users where id = ${userId} for no key update) b
     where u.id = b.id returning b.warning`.execute(db)
  return rows[0]?.warning ?? null
}

/**
 * Locks a player's row until the transaction ends, so that acts on the player and on their content run one after
 * another. Call this function before taking any other lock in the transaction. Returns whether the player still exists,
 * because deleted accounts get no notices.
 */
export async function lockPlayer(tx: Tx, userId: number | null): Promise<boolean> {
  if (userId === null) return false
  const user = tx.selectFrom('users').select('deleted_at').where('id', '=', userId)
  const row = await user.forNoKeyUpdate().executeTakeFirst()
  return row?.deleted_at === null
}

export interface NewAccountStatus {
  readonly status: AccountStatus
  readonly reason: string | null
  readonly now: Date
}

/** Reads an account's status and locks the row. Nobody else can then change the status until the transaction ends. */
export async function lockStanding(tx: Tx, userId: UserId): Promise<AccountStatus> {
  const { standing } = await tx
    .selectFrom('users')
    .select('standing')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return standing
}

/** Sets a player's account status and records an account event. */
export async function setAccountStatus(
  tx: Tx,
  userId: UserId,
  { status, reason, now }: NewAccountStatus,
): Promise<AccountStatus> {
  const before = await lockStanding(tx, userId)
  await tx.updateTable('users').set({ standing: status, standing_reason: reason }).where('id', '=', userId).execute()
  const cause = STOPPED_BY[status]
  if (cause !== null) {
    await endWaitingOrders(tx, userId, { cause, onlyBuys: status === 'suspended' })
    const detail = { frozen: status === 'frozen', ...(reason !== null && { reason }) }
    await recordOperatorEvent(tx, { userId, kind: 'suspended', detail }, now)
  } else if (before !== 'active') await recordOperatorEvent(tx, { userId, kind: 'unsuspended' }, now)
  return before
}

/** Error codes of waiting orders that end because of the status. New orders fail with the same codes. */
const STOPPED_BY = { active: null, suspended: 'ACCOUNT_SUSPENDED', frozen: 'ACCOUNT_FROZEN' } as const

/** Hides a token or lists it again. Returns whether it was hidden before. */
export async function setHidden(db: Db, tokenId: TokenId, isHidden: boolean): Promise<boolean> {
  const hidden_at = isHidden ? sql`now()` : sql`null`
  const { rows } = await sql<{ was_hidden: boolean }>`
    update tokens t set hidden_at = ${hidden_at} from (select id, hidden_at from tokens where id = ${tokenId} for no key update) b
     where t.id = b.id returning b.hidden_at is not null as was_hidden`.execute(db)
  return rows[0]?.was_hidden ?? false
}

interface Mute {
  readonly userId: UserId
  /** The fair in which the player is muted; 0 means everywhere. */
  readonly fairId: number
  readonly until: Date
}

/** Mutes a player until a certain time. If the player is already muted for longer, the longer mute stays. */
export async function mute(db: Db, { userId, fairId, until }: Mute): Promise<void> {
  await sql`
    insert into mutes (user_id, fair_id, until) values (${userId}, ${fairId}, ${until})
    on conflict (user_id, fair_id) do update set until = greatest(mutes.until, excluded.until)`.execute(db)
}

/** Returns the time until which a player is muted in one of these fairs (0: everywhere), or null. */
export async function findMute(
  db: Db,
  { userId, fairIds, now }: { readonly userId: UserId; readonly fairIds: readonly number[]; readonly now: Date },
): Promise<Date | null> {
  const { until } = await db
    .selectFrom('mutes')
    .select((of) => of.fn.max('until').as('until'))
    .where('user_id', '=', userId)
    .where('fair_id', 'in', [...fairIds])
    .where('until', '>', now)
    .executeTakeFirstOrThrow()
  return until
}

export async function unmute(db: Db, { userId, fairId }: Omit<Mute, 'until'>): Promise<void> {
  await db.deleteFrom('mutes').where('user_id', '=', userId).where('fair_id', '=', fairId).execute()
}

/** Removes a player's picture, or restores one. Returns the previous picture's URL. */
export async function setPicture(db: Db, userId: UserId, url: string | null): Promise<string | null> {
  const { rows } = await sql<{ url: string | null }>`
    update users u set profile_picture_url = ${url}
      from (select id, profile_picture_url as url from users where id = ${userId} for no key update) b
     where u.id = b.id returning b.url`.execute(db)
  return rows[0]?.url ?? null
}
