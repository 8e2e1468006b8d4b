import { QUICK_ENTRY_MS } from '@papermoon/contract/fair-tokens'
import type { Fair } from '@papermoon/contract/fairs'
import { type Db, type FairsTable, formatNumeric } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { MAY_RANK } from '../../database/conditions.ts'
import { isMemberOf } from './access.ts'
import { FairNotFoundError } from './errors.ts'
import { bellMoment, commitOf } from './schedule.ts'

/** A fair with its host, its number of players, and the caller's account in it. */
export type FairRow = Selectable<FairsTable> & {
  readonly host_name: string | null
  readonly entrants: number
  readonly bots_in: number
  readonly my_balance: string | null
  readonly my_left_at: Date | null
  readonly my_place: number | null
  readonly winner: string | null
}

/** Only members and hosts can see rooms and sandboxes. */
const isShown = sql`(f.kind not in ('room', 'sandbox') or ${isMemberOf(sql`me.id`)})`
/** Every player of a room is invited to its rematch. */
const isInvited = sql`exists (select from fairs.accounts o
  where o.fair_id = f.rematch_of and o.user_id = me.id and o.left_at is null)`
/** Do not list a void fair that a player hosts. In such a fair, nobody traded, or an operator voided it. */
const isEnded = sql`(f.state = 'settled' or (f.state = 'void' and f.host_id is null))`

/**
 * Returns a fair as a caller sees it, or undefined. A room is also shown to callers with its invite code, and to
 * players invited to it as a rematch, unless they left it.
 */
export async function findFair(
  db: Db,
  id: number,
  { userId, inviteHash = null }: { readonly userId: UserId | null; readonly inviteHash?: Buffer | null },
): Promise<FairRow | undefined> {
  const mayEnter = sql`((f.invite_hash = ${inviteHash} or ${isInvited}) and m.left_at is null)`
  const where = sql`f.id = ${id} and f.id > 1 and (${isShown} or ${mayEnter})`
  return (await selectFairs(db, userId, where, sql`f.id limit 1`))[0]
}

/** Finds a fair by its id. This function does not check whether a caller can see the fair. */
export async function getFair(db: Db, id: number): Promise<FairRow> {
  const [row] = await selectFairs(db, null, sql`f.id = ${id} and f.id > 1`, sql`f.id`)
  if (row === undefined) throw new FairNotFoundError()
  return row
}

const RUNNING_MAX = 100
/** List quick arenas of other players as long as the caller can enter them. */
const isListed = sql`(not f.is_quick or m.account_id is not null
  or (f.state = 'open' and f.starts_at > clock_timestamp() - ${QUICK_ENTRY_MS} * interval '1 ms'))`

/**
 * Returns at most 100 upcoming and running fairs that a caller can see, sorted by start or end. The house's and the
 * caller's own fairs come first, because otherwise many cups could push them off the list.
 */
export async function findCurrentFairs(db: Db, userId: UserId | null): Promise<FairRow[]> {
  const where = sql`f.id > 1 and f.state in ('lobby', 'open') and ${isShown} and ${isListed}`
  return await selectFairs(
    db,
    userId,
    where,
    sql`
    f.host_id is not null, m.account_id is null and f.host_id is distinct from me.id,
    case f.state when 'open' then f.ends_at else f.starts_at end, f.id limit ${RUNNING_MAX}`,
  )
}

/** Returns a page of ended fairs that a caller can see, newest first. */
export async function findEndedFairs(
  db: Db,
  userId: UserId | null,
  { before, limit }: { readonly before: { readonly at: Date; readonly id: number } | null; readonly limit: number },
): Promise<FairRow[]> {
  const isBefore = before === null ? sql`true` : sql`(f.settled_at, f.id) < (${before.at}, ${before.id})`
  const where = sql`${isEnded} and f.settled_at is not null and ${isBefore} and ${isShown}
    and (not f.is_quick or m.account_id is not null)`
  return await selectFairs(db, userId, where, sql`f.settled_at desc, f.id desc limit ${limit}`)
}

async function selectFairs(
  db: Db,
  userId: UserId | null,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<FairRow[]> {
  const { rows } = await sql<FairRow>`
    select f.*, m.sol_balance as my_balance, m.left_at as my_left_at, h.username as host_name,
           (select place from fair_results r where r.fair_id = f.id and r.user_id = me.id and r.is_ranked) as my_place,
           (select string_agg(u.username, ' and ' order by u.id) from fair_results r join users u on u.id = r.user_id and ${MAY_RANK}
             where r.fair_id = f.id and r.place = 1 and r.is_ranked) as winner,
           (select count(*)::int from fairs.accounts a where a.fair_id = f.id and a.left_at is null) as entrants,
           case when f.bots = 0 then 0 else (select count(*)::int from fairs.accounts a join users u on u.id = a.user_id
             where a.fair_id = f.id and a.left_at is null and u.kind = 'house') end as bots_in
      from (select ${userId}::int as id) me cross join fairs f left join users h on h.id = f.host_id
        left join fairs.accounts m on m.fair_id = f.id and m.user_id = me.id
     where ${where} order by ${order}`.execute(db)
  return rows
}

/**
 * Returns whether a fair is a cup that has begun. The host may play in the cup, and must therefore not end it or remove
 * players.
 */
export function isRunningCup({ kind, state }: Pick<FairsTable, 'kind'> & { readonly state: string }): boolean {
  return kind === 'cup' && state === 'open'
}

/** Locks all pools of a fair. Call this function before locking the fair, because launches use this order. */
export async function lockPools(tx: Db, fairId: number): Promise<void> {
  await sql`
    select from fairs.pools where token_id in (select id from fairs.tokens where fair_id = ${fairId})
     order by token_id for update`.execute(tx)
}

/** Locks a fair until the transaction ends. Returns undefined if the fair does not exist. */
export async function lockFair(
  tx: Db,
  id: number,
): Promise<(Selectable<FairsTable> & { readonly now: Date }) | undefined> {
  return await tx
    .selectFrom('fairs')
    .selectAll()
    .select(sql<Date>`date_trunc('milliseconds', clock_timestamp())`.as('now'))
    .where('id', '=', id)
    .where('id', '>', 1)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

const MS = 1_000

/**
 * Converts a fair to the form in which a caller sees it. After the fair's end, this form includes the time of the bell
 * and the secret.
 */
export function toFair(row: FairRow, userId: UserId | null): Fair {
  const { kind, state, ends_at: planned, bell_at: bellAt } = row
  if (kind === 'fairground' || planned === null) throw new Error(`fair ${row.id} has no end`)
  const isEndedEarly = bellAt !== null && bellAt < bellMoment(row.secret, planned, row.bell_window_s)
  const endsAt = isEndedEarly ? bellAt : planned
  const isOver = state === 'settled' || state === 'void'
  // A quick arena has no host. The player who started a quick arena has no special rights in it.
  const hostId = row.is_quick ? null : row.host_id
  const isHost = userId !== null && hostId === userId
  return {
    id: row.id,
    kind,
    name: row.name,
    isQuick: row.is_quick,
    host: hostId === null ? null : { id: hostId as UserId, username: row.host_name ?? '' },
    state,
    stake: formatNumeric(row.stake),
    lobbyAt: row.lobby_at.toISOString(),
    startsAt: row.starts_at.toISOString(),
    endsAt: endsAt.toISOString(),
    bellFrom: new Date(endsAt.getTime() - (isEndedEarly ? 0 : row.bell_window_s * MS)).toISOString(),
    bellAt: isOver ? (bellAt?.toISOString() ?? null) : null,
    commit: commitOf(row.secret),
    secret: isOver ? row.secret.toString('hex') : null,
    launches: row.launches,
    rugs: row.rugs,
    lateEntry: row.late_entry,
    everyoneRanks: row.everyone_ranks,
    depth: row.depth,
    entrants: row.entrants,
    entrantsMax: row.entrants_max,
    bots: row.bots_in,
    botsAtStart: row.bots,
    note: row.note,
    ...(row.winner !== null && { winner: row.winner }),
    me:
      row.my_balance === null && !isHost
        ? null
        : {
            balance: row.my_balance === null ? null : formatNumeric(row.my_balance),
            hasLeft: row.my_left_at !== null,
            isHost,
            ...(row.my_place !== null && { place: row.my_place }),
          },
  }
}
