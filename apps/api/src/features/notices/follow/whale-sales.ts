import type { Tx } from '@papermoon/db'
import { sql } from 'kysely'
import { visibleTokens } from '../../../database/visible-tokens.ts'
import { SAME_WITHIN_MIN } from '../tell-players.ts'
import type { EntryRange } from './rug-pulls.ts'

/** Min share of the supply above which a holder's sale is news. */
const LARGE_SHARE = '0.05'

/**
 * Records the sales in a range of trades by holders of more than 5 % of their token, with one cause for each token and
 * seller. Excludes most sellers by their current holding and their later sales. Reads only the rest's trades to find
 * what they held before each sale. Returns the number of causes.
 */
export async function recordWhaleSales(tx: Tx, { after, through }: EntryRange): Promise<number> {
  const { rows } = await sql`
    with sold as materialized (
      select token_id, user_id, sum(token_amount) as amount, min(seq) filter (where id <= ${through}) as first_seq
        from trades where id > ${after} and side = 'sell' group by token_id, user_id having min(id) <= ${through}
    ), candidate as materialized (
      select sold.token_id, sold.user_id, sold.first_seq, h.amount, t.supply
        from sold join holdings h on h.token_id = sold.token_id and h.user_id = sold.user_id
        join ${visibleTokens} t on t.id = sold.token_id
       where h.amount + sold.amount > t.supply * ${LARGE_SHARE}::numeric
    ), traded as (
      select t.token_id, t.user_id, t.id, t.seq, t.side, t.token_amount, t.sol_amount, c.supply,
             c.amount + sum(case t.side when 'sell' then t.token_amount else -t.token_amount end)
               over (partition by t.token_id, t.user_id order by t.seq desc) as held_before
        from candidate c join trades t on t.token_id = c.token_id and t.user_id = c.user_id and t.seq >= c.first_seq
    ), sale as (
      select format('whale %s %s', token_id, user_id) as key, token_id, user_id, max(seq) as seq, count(*)::int as times,
             sum(token_amount) as tokens, sum(sol_amount) as sol
        from traded
       where side = 'sell' and id <= ${through} and held_before > supply * ${LARGE_SHARE}::numeric
       group by token_id, user_id
    ), again as (
      update notice_causes c
         set times = c.times + sale.times, tokens = c.tokens + sale.tokens, sol = c.sol + sale.sol, seq = sale.seq,
             last_at = now(), told_to = coalesce(c.told_to, 0)
        from sale
       where c.id = (select max(id) from notice_causes where key = sale.key)
         and c.created_at > now() - make_interval(mins => ${SAME_WITHIN_MIN})
      returning c.key
    ), fresh as (
      insert into notice_causes (key, kind, token_id, actor_id, seq, times, tokens, sol, created_at, last_at, told_to)
      select key, 'whale', token_id, user_id, seq, times, tokens, sol, now(), now(), 0
        from sale where key not in (select key from again)
      returning key
    )
    select key from again union all select key from fresh`.execute(tx)
  return rows.length
}
