import type { Db } from '@papermoon/db'
import { sql } from 'kysely'

/**
 * Inserts trades with sequence numbers from `from` to `to`, as if another node had written them. Their amounts are made
 * up.
 */
export async function insertTrades(db: Db, tokenId: number, [from, to]: readonly [number, number]): Promise<void> {
  await sql`insert into trades (id, token_id, seq, user_id, side, sol_amount, fee, token_amount, price, sol_reserve,
    token_reserve, spot_price, created_at, hash)
    select first + n - ${from}, t.id, n, t.creator_id, 'buy', 1, 0, 1, 1, 30, 1, 1, now(), sha256('')
      from (select next_position(${to - from + 1}) as first) places, tokens t, generate_series(${from}::int, ${to}::int) n
     where t.id = ${tokenId}`.execute(db)
  await sql`update pools set seq = ${to} where token_id = ${tokenId}`.execute(db)
}
