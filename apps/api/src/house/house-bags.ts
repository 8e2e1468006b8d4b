import type { Database } from '@papermoon/db'
import { type Kysely, sql } from 'kysely'

/** Holdings of the house's bots in open tokens. */
export interface HouseBags {
  /** Bots that hold something. */
  readonly bots: number
  readonly holdings: number
  /** SOL at the current prices, with two decimals. */
  readonly worth: string
}

export async function sumHouseBags(db: Kysely<Database>): Promise<HouseBags> {
  const { rows } = await sql<HouseBags>`
    select count(distinct h.user_id)::int as bots, count(*)::int as holdings,
           round(coalesce(sum(h.amount * p.price), 0), 2)::text as worth
      from holdings h join users u on u.id = h.user_id join pools p on p.token_id = h.token_id
     where u.kind = 'house' and h.amount > 0 and p.rugged_at is null`.execute(db)
  return rows[0] ?? { bots: 0, holdings: 0, worth: '0' }
}
