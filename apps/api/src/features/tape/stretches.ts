import type { Db } from '@papermoon/db'
import type { TokenId } from '@papermoon/engine'
import { sql } from 'kysely'
import { visibleTokens } from '../../database/visible-tokens.ts'

/** Number of trades in a section. */
export const STRETCH_TRADES = 60
/** Min factor by which the best buy and sale in a game must beat holding all along, and beat doing nothing. */
export const BEST_OVER_HOLD_MIN = 1.1
/** Max number of tokens that are read, and of trades per token, to limit the cost in a large market. */
const TOKENS_MAX = 300
const TRADES_MAX = 160 * STRETCH_TRADES

/** A section of a token's past. */
export interface Stretch {
  readonly tokenId: TokenId
  readonly fromSeq: number
  readonly toSeq: number
}

export interface Candidate {
  readonly tokenId: TokenId
  readonly seq: number
}

/** Finds public tokens that are old enough and traded enough, in the order of the seed. */
export async function findCandidates(
  db: Db,
  { seed, before }: { readonly seed: string; readonly before: Date },
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select p.token_id as "tokenId", p.seq::int as seq
      from pools p join ${visibleTokens} t on t.id = p.token_id
     where p.seq >= ${STRETCH_TRADES} and t.created_at < ${before}
     order by md5(${seed}::text || p.token_id) limit ${TOKENS_MAX}`.execute(db)
  return rows
}

/**
 * Finds the lively sections in a part (0 to 1) of a token's trades. A lively section is a minute to two days long, the
 * best buy and sale gain a tenth more than holding, and no pause is longer than a quarter of the section. Uses the
 * covering index of trades.
 */
export async function findStretches(
  db: Db,
  { tokenId, seq, part, before }: Candidate & { readonly part: number; readonly before: Date },
): Promise<Stretch[]> {
  const skipped = Math.floor((part * Math.max(0, seq - TRADES_MAX)) / STRETCH_TRADES) * STRETCH_TRADES
  const { rows } = await sql<{ from_seq: number }>`
    select min(seq)::int as from_seq
      from (select seq, spot_price, created_at, spot_price / min(spot_price) over stretch as best,
                   spot_price / first_value(spot_price) over stretch as held, created_at - lag(created_at) over stretch as pause
              from trades
             where token_id = ${tokenId} and seq > ${skipped} and seq <= ${skipped + TRADES_MAX} and created_at < ${before}
            window stretch as (partition by (seq - 1) / ${STRETCH_TRADES}::int order by seq)) t
     group by (seq - 1) / ${STRETCH_TRADES}::int
    having count(*) = ${STRETCH_TRADES}
       and max(best) >= ${BEST_OVER_HOLD_MIN}::numeric * greatest(1, max(held) filter (where seq % ${STRETCH_TRADES}::int = 0))
       and max(created_at) - min(created_at) between '1 minute' and '2 days'
       and max(pause) * 4 <= max(created_at) - min(created_at)
     order by from_seq`.execute(db)
  return rows.map((row) => ({ tokenId, fromSeq: row.from_seq, toSeq: row.from_seq + STRETCH_TRADES - 1 }))
}

/** Reads the price right after each trade in a section, and the time. */
export async function readStretch(
  db: Db,
  { tokenId, fromSeq, toSeq }: Stretch,
): Promise<{ price: string; at: Date }[]> {
  return await db
    .selectFrom('trades')
    .select(['spot_price as price', 'created_at as at'])
    .where('token_id', '=', tokenId)
    .where('seq', '>=', fromSeq)
    .where('seq', '<=', toSeq)
    .orderBy('seq')
    .execute()
}

export interface BotTrades {
  readonly userId: number
  readonly username: string
  /** SOL paid and received, and tokens bought minus sold. */
  readonly paid: string
  readonly received: string
  readonly tokens: string
}

/** Sums each house bot's trades in a section. */
export async function sumBotTrades(db: Db, { tokenId, fromSeq, toSeq }: Stretch): Promise<BotTrades[]> {
  const { rows } = await sql<BotTrades>`
    select u.id as "userId", u.username,
           coalesce(sum(t.sol_amount) filter (where t.side = 'buy'), 0) as paid,
           coalesce(sum(t.sol_amount) filter (where t.side = 'sell'), 0) as received,
           sum(case t.side when 'buy' then t.token_amount else -t.token_amount end) as tokens
      from trades t join users u on u.id = t.user_id and u.kind = 'house'
     where t.token_id = ${tokenId} and t.seq between ${fromSeq} and ${toSeq}
     group by u.id`.execute(db)
  return rows
}
