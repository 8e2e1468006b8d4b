import { Decimal, solText } from '@papermoon/amm'
import { type FairsDatabase, formatNumeric } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import { POOL_SHARE } from '../../fairs/pool-share.ts'

export interface StandingRow {
  readonly userId: UserId
  readonly username: string
  readonly isBot: boolean
  /** SOL: balance and pool share. */
  readonly standing: string
  readonly score: string
  readonly isRanked: boolean
  readonly hasLeft: boolean
  readonly trades: number
}

export interface Standings {
  readonly entrants: readonly StandingRow[]
  readonly sum: { readonly stakes: string; readonly fees: string; readonly standings: string; readonly dust: string }
}

/** Who stands where in a fair, of one moment. */
export async function computeStandings(db: Kysely<FairsDatabase>, fairId: number): Promise<Standings> {
  const { rows } = await sql<StandingRow & { stakes: string; fees: string; standings: string }>`
    with share as (
      select h.user_id, sum(${POOL_SHARE}) as sol from tokens t join pools p on p.token_id = t.id
        join holdings h on h.token_id = t.id and h.amount > 0 where t.fair_id = ${fairId} group by h.user_id
    ), traded as (
      select x.user_id, count(*)::int as trades,
             sum(x.sol_amount) filter (where x.created_at < f.starts_at + (f.ends_at - f.starts_at) * 2 / 3) as early
        from fairs f join tokens t on t.fair_id = f.id join trades x on x.token_id = t.id
       where f.id = ${fairId} group by x.user_id
    ), entrant as (
      select a.user_id as "userId", u.username, u.kind <> 'player' as "isBot",
             a.sol_balance + coalesce(s.sol, 0) as standing, coalesce(x.early, 0) >= a.stake and a.left_at is null as "isRanked",
             a.left_at is not null as "hasLeft", coalesce(x.trades, 0) as trades, a.stake
        from accounts a join users u on u.id = a.user_id left join share s on s.user_id = a.user_id
          left join traded x on x.user_id = a.user_id
       where a.fair_id = ${fairId}
    )
    select e.*, e.standing as score, sum(e.stake) over () as stakes, sum(e.standing) over () as standings,
           (select coalesce(sum(p.fees + t.launch_fee), 0) from tokens t join pools p on p.token_id = t.id
             where t.fair_id = ${fairId}) as fees
      from entrant e order by "isRanked" desc, score desc, "userId"`.execute(db)
  const [first] = rows
  const { stakes = '0', fees = '0', standings = '0' } = first ?? {}
  const dust = new Decimal(stakes).sub(fees).sub(standings)
  return {
    entrants: rows,
    sum: {
      stakes: formatNumeric(stakes),
      fees: formatNumeric(fees),
      standings: formatNumeric(standings),
      dust: solText(dust),
    },
  }
}
