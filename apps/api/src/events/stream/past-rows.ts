import type { Db } from '@papermoon/db'
import { sql } from 'kysely'
import { readPostEvents } from '../../talk/read-posts.ts'
import {
  type PageRange,
  type PlacedEvent,
  readFairMoments,
  readOrderEvents,
  readRugs,
  readSeals,
  toMarketTradeEvent,
  tradeRows,
} from '../journal.ts'
import type { JournalPosition } from './event-cursors.ts'

/** Trades of some tokens after their sequence numbers. A token's ids are in the order of its sequence numbers. */
export async function readPastTokenTrades(
  db: Db,
  seqs: ReadonlyMap<number, number>,
  { through, limit }: Pick<PageRange, 'through' | 'limit'>,
): Promise<PlacedEvent[]> {
  const { rows: found } = await sql<{ id: number }>`
    select t.id from unnest(${[...seqs.keys()]}::int[], ${[...seqs.values()]}::bigint[]) v (token_id, seq)
      cross join lateral (
        select id from trades where token_id = v.token_id and seq > v.seq and id <= ${through}
         order by seq limit ${limit}
      ) t
     order by t.id limit ${limit}`.execute(db)
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  const rows = await tradeRows(db).where('t.id', 'in', ids).orderBy('t.id').execute()
  return rows.map((row) => ({ event: toMarketTradeEvent(row), place: row.id }))
}

/** Readers of the kinds that have a place among trades, and are fewer. */
export const pastReaders = {
  rug: readRugs,
  seal: readSeals,
  fair: readFairMoments,
  post: readPostEvents,
  order: async (db, range) => (range.player === null ? [] : await readOrderEvents(db, range)),
} as const satisfies Record<string, (db: Db, range: PageRange) => Promise<PlacedEvent[]>>

/**
 * The last sequence number of each token at a place of the journal, by binary search: a token's trades have the numbers from 1
 * on without a gap.
 */
export async function readSeqsAt(db: Db, tokens: readonly number[], entry: number): Promise<Map<number, number>> {
  const { rows } = await sql<{ tokenId: number; seq: number }>`
    with recursive search (token_id, low, high) as (
      select token_id, 0::bigint, seq + 1 from pools where token_id = any(${tokens}::int[])
      union all
      select s.token_id, case when t.id <= ${entry} then s.middle else s.low end,
             case when t.id <= ${entry} then s.high else s.middle end
        from (select *, (low + high) / 2 as middle from search where high - low > 1) s
        left join lateral (
          select id from trades where token_id = s.token_id and seq = s.middle offset 0
        ) t on true
    )
    select token_id as "tokenId", low as seq from search where high - low <= 1`.execute(db)
  return new Map(rows.map(({ tokenId, seq }) => [tokenId, seq]))
}

/** State of the journal after a place. */
export interface NextInJournal {
  /** When the first event after the place happened; null where there is none. */
  readonly nextAt: Date | null
  /** Whether the place is beyond the end: the database was restored from a backup. */
  readonly isBeyondEnd: boolean
}

export async function readNext(db: Db, { entry, tokenId }: JournalPosition): Promise<NextInJournal> {
  const { rows } = await sql<NextInJournal>`
    select (select min(created_at) from (
        (select created_at from trades where id > ${entry} order by id limit 1)
        union all (select created_at from rugs where position > ${entry} order by position limit 1)
        union all (select created_at from seals where position > ${entry} order by position limit 1)
        union all (select created_at from fair_moments where position > ${entry} order by position limit 1)
        union all (select created_at from posts where position > ${entry} order by position limit 1)
        union all (select coalesce(ended_at, placed_at) from waiting_orders where position > ${entry} order by position limit 1)
        union all (select created_at from tokens where id > ${tokenId} order by id limit 1)
      ) next) as "nextAt",
      ${entry} > greatest((select max(id) from trades), (select max(position) from rugs),
             (select max(position) from seals), (select max(ended_position) from seals),
             (select max(position) from fair_moments), (select max(position) from posts),
             (select max(changed_position) from posts), (select max(position) from waiting_orders), 0)
        or ${tokenId} > coalesce((select max(id) from tokens), 0) as "isBeyondEnd"`.execute(db)
  return rows[0] ?? { nextAt: null, isBeyondEnd: true }
}

/** The last place before a time, as far as ids are in the order of time. */
export async function readPositionAt(db: Db, time: Date): Promise<JournalPosition> {
  const { rows } = await sql<JournalPosition>`
    select greatest(
        (select id from trades where created_at < ${time} order by id desc limit 1),
        (select position from rugs where created_at < ${time} order by position desc nulls last limit 1), 0)::bigint as entry,
      coalesce((select id from tokens where created_at < ${time} order by id desc limit 1), 0) as "tokenId"`.execute(db)
  return rows[0] ?? { entry: 0, tokenId: 0 }
}
