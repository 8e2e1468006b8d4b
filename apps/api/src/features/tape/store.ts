import { type Sol, solText } from '@papermoon/amm'
import { TAPE_MS } from '@papermoon/contract/tape'
import type { Db, TapePlaysTable, TapesTable } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { NewTape } from './choose-tape.ts'

export type TapeRow = Selectable<TapesTable>
export type PlayRow = Selectable<TapePlaysTable>

/** The owner of a game: an account, or a browser without an account. */
export type Owner = { readonly userId: UserId } | { readonly browserHash: Buffer }

const isOwnedBy = (owner: Owner) =>
  'userId' in owner ? sql<SqlBool>`user_id = ${owner.userId}` : sql<SqlBool>`browser_hash = ${owner.browserHash}`

const isOver = (now: Date) => sql<SqlBool>`(sold_ms is not null or started_at <= ${new Date(now.getTime() - TAPE_MS)})`

export async function findTapes(db: Db, days: readonly string[]): Promise<TapeRow[]> {
  return await db.selectFrom('tapes').selectAll().where('day', 'in', days).orderBy('day').execute()
}

/** Inserts the game of a day. An existing game is not replaced. */
export async function insertTape(db: Db, tape: NewTape): Promise<void> {
  await db
    .insertInto('tapes')
    .values(tape)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findPlay(db: Db, id: string): Promise<PlayRow | undefined> {
  return await db.selectFrom('tape_plays').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findPlayOf(db: Db, owner: Owner, day: string): Promise<PlayRow | undefined> {
  return await db.selectFrom('tape_plays').selectAll().where(isOwnedBy(owner)).where('day', '=', day).executeTakeFirst()
}

/** Starts a game, unless the owner already has one on that day. */
export async function insertPlay(
  db: Db,
  play: { id: string; day: string; owner: Owner; now: Date; strip: string },
): Promise<void> {
  const { id, day, owner, now, strip } = play
  const columns = 'userId' in owner ? { user_id: owner.userId } : { browser_hash: owner.browserHash }
  await db
    .insertInto('tape_plays')
    .values({ id, day, started_at: now, gain: '0', strip, ...columns })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Gives an account the game that its browser played as a guest on a day, unless the account also played. */
export async function claimGuestPlay(
  db: Db,
  { userId, browserHash, day }: { userId: UserId; browserHash: Buffer; day: string },
): Promise<void> {
  await sql`
    update tape_plays set user_id = ${userId}, browser_hash = null
     where browser_hash = ${browserHash} and day = ${day}
       and not exists (select from tape_plays where user_id = ${userId} and day = ${day})`.execute(db)
}

export interface Move {
  readonly id: string
  /** Column of the buy or of the sale. Each game has at most one buy and one sale. */
  readonly column: 'bought_ms' | 'sold_ms'
  readonly ms: number
  readonly gain: Sol
  readonly strip: string
}

/** Records the buy or the sale of a game. */
export async function updatePlay(db: Db, { id, column, ms, gain, strip }: Move): Promise<void> {
  await db
    .updateTable('tape_plays')
    .set({ [column]: ms, gain: solText(gain), strip })
    .where('id', '=', id)
    .where(column, 'is', null)
    .execute()
}

/** Lists finished games since a day, newest first. */
export async function listPlays(db: Db, owner: Owner, now: Date): Promise<PlayRow[]> {
  return await db
    .selectFrom('tape_plays')
    .selectAll()
    .where(isOwnedBy(owner))
    .where(isOver(now))
    .orderBy('day', 'desc')
    .limit(1_000)
    .execute()
}

export interface Others {
  readonly count: number
  readonly beaten: number
  readonly median: string | null
}

/** Counts the results of other accounts that have finished a day's game. Guests see the counts, but are not counted. */
export async function countOthers(db: Db, day: string, { mine, now }: { mine: PlayRow | undefined; now: Date }) {
  const { rows } = await sql<Others>`
    select count(*)::int as count,
           (count(*) filter (where gain < ${mine?.gain ?? null}::numeric))::int as beaten,
           percentile_disc(0.5) within group (order by gain)::text as median
      from tape_plays
     where day = ${day} and user_id is not null and ${isOver(now)} and id is distinct from ${mine?.id ?? null}::uuid`.execute(
    db,
  )
  return rows[0] ?? { count: 0, beaten: 0, median: null }
}
