import { type Db, isStatementCanceled, type Tx } from '@papermoon/db'
import { sql } from 'kysely'
import type { AppPart } from '../../context.ts'
import { type ConsumerStep, lockPosition, notifyPlayers, type PersonalCause } from '../notices/public.ts'
import { type EarnedSticker, findEarned, type JournalRange } from './find-earned.ts'
import { STICKERS } from './sticker-list.ts'

/** Max number of journal entries in a step. Steps get shorter if they take too long. */
const STEP_MAX = 5_000
/**
 * Age from which the stickers count a trade as a day old. This age includes two minutes in which open transactions may
 * still write trades.
 */
const DAY_OLD = sql`interval '1 day 2 minutes'`

/** Returns a consumer's step that gives stickers for events in the journal. */
export function createStickerStep(): (app: AppPart<'db' | 'log' | 'notices'>) => Promise<ConsumerStep> {
  let length = STEP_MAX
  return async ({ platform: { db, log }, live: { notices } }) => {
    const step = await giveSome(db, notices.node, length)
    length = step.nextLength
    if (step.skipped !== null)
      log.warn(step.skipped, 'checking a journal entry for stickers took too long; skipping the entry')
    return step
  }
}

interface Step extends ConsumerStep {
  /** Number of journal entries in the next step. The number is lower after a step that took too long. */
  readonly nextLength: number
  /** A range of one journal entry that was skipped, because processing it took too long. */
  readonly skipped: JournalRange | null
}

/**
 * Gives the stickers for the next part of the journal, up to where notices were created. One transaction writes both
 * the stickers and the position. If another node was faster, this node changes nothing. Skips a single entry that takes
 * too long, because one player's long history must not delay everyone's stickers.
 */
export async function giveSome(db: Db, node: string, length = STEP_MAX): Promise<Step> {
  const before = await readPosition(db, length)
  const range = toRange(before, length)
  const found = await findUnlessSlow(db, range)
  if (found === null && length > 1) {
    return { isDone: false, notified: 0, nextLength: Math.ceil(length / 10), skipped: null }
  }
  const earned = found ?? []
  const { entries, dayOld } = range
  const isDone = [entries, dayOld].every(({ after, through }) => after === through)
  const next = { isDone, nextLength: Math.min(length * 2, STEP_MAX), skipped: found === null ? range : null }
  if (isDone && earned.length === 0) return { ...next, notified: 0 }
  const notified = await db.transaction().execute(async (tx) => {
    const { holder } = await lockPosition(tx)
    if (holder !== node) return 0
    const { rows } = await sql`
      update notice_position set sticker_entry = ${entries.through}, sticker_day_entry = ${dayOld.through},
             sticker_at = ${before.now}
       where sticker_entry = ${entries.after} and sticker_day_entry = ${dayOld.after} returning id`.execute(tx)
    return rows.length === 0 ? 0 : await insertStickers(tx, earned)
  })
  return { ...next, notified }
}

/** Finds earned stickers; returns null if the statement took too long and the database cancelled it. */
async function findUnlessSlow(db: Db, range: JournalRange): Promise<EarnedSticker[] | null> {
  try {
    return await findEarned(db, range)
  } catch (error) {
    if (!isStatementCanceled(error)) throw error
    return null
  }
}

/**
 * How far to look back for arenas and giveaway windows that have ended, in ms. The time at which they ended comes from a
 * server's clock, which may be behind the database's.
 */
const WINDOW_OVERLAP_MS = 3_600_000

function toRange(position: Position, length: number): JournalRange {
  const { trade_id, sticker_entry, sticker_day_entry, sticker_at, day_old } = position
  return {
    entries: { after: sticker_entry, through: Math.max(sticker_entry, Math.min(trade_id, sticker_entry + length)) },
    dayOld: { after: sticker_day_entry, through: day_old },
    closedAfter: new Date(sticker_at.getTime() - WINDOW_OVERLAP_MS),
  }
}

/** Inserts stickers that no other node gave meanwhile, and sends notices about them. Returns the number of notices. */
async function insertStickers(tx: Tx, earned: readonly EarnedSticker[]): Promise<number> {
  if (earned.length === 0) return 0
  const { rows } = await sql<EarnedSticker & { is_news: boolean }>`
    insert into stickers (user_id, sticker, token_id, seq, at)
    select * from unnest(
      ${earned.map((it) => it.user_id)}::int[], ${earned.map((it) => it.sticker)}::text[],
      ${earned.map((it) => it.token_id)}::int[], ${earned.map((it) => it.seq)}::bigint[],
      ${earned.map((it) => it.at)}::timestamptz[])
    on conflict do nothing
    returning user_id, sticker, token_id, seq, at, at > now() - interval '2 days' as is_news`.execute(tx)
  const news = rows.filter((row) => row.is_news)
  const players = [...new Set(news.map((row) => row.user_id))]
  return await notifyPlayers(
    tx,
    players.map((player) => toCause(news.filter((row) => row.user_id === player))),
  )
}

/**
 * Creates one notice for all stickers that a player got in a step. The notice names the rarest sticker, which is the
 * last one in the list.
 */
function toCause(given: readonly EarnedSticker[]): PersonalCause {
  const sticker = STICKERS.findLast(({ id }) => given.some((row) => row.sticker === id))
  const row = given.find((one) => one.sticker === sticker?.id)
  if (sticker === undefined || row === undefined) throw new Error('a sticker that was given is not in the list')
  const { id, emoji, name, rule } = sticker
  return {
    userId: row.user_id,
    kind: 'sticker',
    key: `sticker ${id} ${row.user_id}`,
    tokenId: row.token_id,
    actorId: row.user_id,
    seq: row.seq,
    detail: { id, emoji, name, rule, more: given.length - 1 },
  }
}

interface Position {
  /** Position in the journal up to which notices were created. */
  readonly trade_id: number
  /** Position in the journal up to which stickers were given. */
  readonly sticker_entry: number
  readonly sticker_day_entry: number
  readonly sticker_at: Date
  readonly now: Date
  /** Position of the last trade in the next step that is already a day old. */
  readonly day_old: number
}

async function readPosition(db: Db, length: number): Promise<Position> {
  const { rows } = await sql<Position>`
    select trade_id, sticker_entry, sticker_day_entry, sticker_at, now() as now,
           coalesce((
             select coalesce(min(id) filter (where created_at > now() - ${DAY_OLD}) - 1, max(id)) from (
               select id, created_at from trades
                where id > sticker_day_entry and id <= trade_id order by id limit ${length}
             ) next
           ), sticker_day_entry)::bigint as day_old
      from notice_position`.execute(db)
  const [position] = rows
  if (position === undefined) throw new Error('the notices have no position')
  return position
}
