import type { Database } from '@papermoon/db'
import type { TradeRow } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import { visibleTokens } from '../../../database/visible-tokens.ts'

export interface TapeRow extends TradeRow {
  readonly name: string
  readonly symbol: string
  readonly emoji: string
}

/** How many of the market's newest trades are looked through for those of tokens that are not hidden. */
const TRADES_SEEN = 200

/** The newest trades of all tokens that everybody may see, newest first. */
export async function findTape(db: Kysely<Database>, limit: number): Promise<TapeRow[]> {
  const { rows } = await sql<TapeRow>`
    select t.id, t.token_id, t.seq, t.user_id, u.username, t.side, t.sol_amount, t.fee, t.token_amount, t.price,
           t.spot_price, t.created_at, k.name, k.symbol, k.emoji
      from (select * from trades order by id desc limit ${TRADES_SEEN}) t
      join ${visibleTokens} k on k.id = t.token_id
      join users u on u.id = t.user_id
     order by t.id desc limit ${limit}`.execute(db)
  return rows
}
