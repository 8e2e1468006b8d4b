import type { Sol } from '@papermoon/amm'
import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { TradeWindow } from '../store.ts'
import {
  type FlowRow,
  isPerson,
  LOSS_AT_MOST,
  type RankedPlayer,
  rankFlows,
  selectExactFlows,
  selectPlayers,
  toPlayerFlow,
} from './best-flows.ts'

/** Number of players whose profit is computed exactly. All other players are ranked by estimates. */
const EXACT_COUNT = 9

/** One of the best players, with an exact profit. */
export interface ExactProfit {
  readonly userId: UserId
  readonly profit: Sol
  readonly trades: number
}

/** All players who made a profit in the six hours before a certain time. */
export interface Ranking {
  readonly at: Date
  /** The ranked period; `until` is just after its last moment. */
  readonly span: { readonly since: Date; readonly until: Date }
  /** The best players, ranked by exact profits. */
  readonly best: readonly ExactProfit[]
  /**
   * Ids of all players with a profit, the largest first. Profits that differ by at most 0.000001 SOL count as equal.
   */
  readonly userIds: Int32Array
}

/** The last ranking from which the leaderboard was computed. With 100,000 winners, this ranking takes 400 kB. */
export const createLastRanking = (): { current: Ranking | null } => ({ current: null })

/** All players with a profit in a period, and the exact profits of the best players. */
export interface RankedPlayers {
  readonly best: readonly RankedPlayer[]
  readonly userIds: Ranking['userIds']
}

/**
 * Ranks all people with a profit in a period with one statement. This takes little longer than `findBestFlows`, which
 * finds only the best players.
 */
export async function rankEverybody(db: Db, window: TradeWindow): Promise<RankedPlayers> {
  const { rows } = await sql<{ flows: FlowRow[]; user_ids: string }>`
    with ${selectPlayers(window)},
         ranking as materialized (
           select user_id, estimate from player join users u on u.id = user_id where estimate > ${LOSS_AT_MOST} and ${isPerson(window)}),
         best as (select user_id, estimate from ranking order by estimate desc, user_id limit ${EXACT_COUNT}),
         exact as (${selectExactFlows(window)})
    select coalesce((select json_agg(json_build_object(
             'user_id', user_id, 'token_id', token_id, 'trades', trades,
             'sol_in', sol_in::text, 'sol_out', sol_out::text, 'bought', bought::text, 'sold', sold::text,
             'sol_before', sol_before::text, 'tokens_before', tokens_before::text,
             'sol_after', sol_after::text, 'tokens_after', tokens_after::text))
             from exact join pool using (token_id)), '[]') as flows,
           coalesce((select string_agg(user_id::text, ',' order by estimate desc, user_id) from ranking where estimate > 0), '') as user_ids`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('an aggregate has one row')
  const best = rankFlows(row.flows.map(toPlayerFlow))
  return { best, userIds: withBestFirst(best, row.user_ids) }
}

/** Returns the best players in their exact order, then the others by their estimates. */
function withBestFirst(best: readonly RankedPlayer[], userIds: string): Int32Array {
  const ids = userIds === '' ? [] : userIds.split(',').map(Number)
  const exact = best.map(({ userId }) => userId)
  return Int32Array.from([...exact, ...ids.filter((id) => !exact.includes(id as UserId))])
}
