import type { Database } from '@papermoon/db'
import { type Kysely, sql } from 'kysely'
import type { Snapshot } from '../../database/snapshot.ts'
import { WRONG_TOKENS_MAX } from './schemas.ts'

/** Sums over the whole market, in SOL. */
export interface SolSums {
  readonly granted: string
  readonly balances: string
  readonly pools: string
  readonly treasury: string
}

export interface SupplyRow {
  readonly count: number
  readonly exact: number
  readonly wrong: number[]
}

/** So that the whole takes as long as it has to; it locks nothing, and everybody waits for this one reading. */
export async function allowTime(snapshot: Snapshot, timeoutMs: number): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(snapshot)
}

export async function sumSol(snapshot: Snapshot): Promise<SolSums> {
  const { rows } = await sql<SolSums>`
    select (select coalesce(sum(amount), 0) from grants) as granted,
           (select coalesce(sum(sol_balance), 0) from accounts) as balances, p.real as pools,
           p.fees + (select coalesce(sum(launch_fee), 0) from tokens) as treasury
      from (select coalesce(sum(sol_reserve - virtual_sol), 0) as real, coalesce(sum(fees), 0) as fees from pools) p`.execute(
    snapshot,
  )
  return onlyRow(rows)
}

/** How many tokens there are, how many of them have their supply where it has to be, and the first that have not. */
export async function checkSupplies(snapshot: Snapshot): Promise<SupplyRow> {
  const { rows } = await sql<SupplyRow>`
    with token as (
      select t.id, coalesce(t.supply = p.token_reserve + coalesce(h.held, 0), false) as is_exact
        from tokens t left join pools p on p.token_id = t.id
        left join (select token_id, sum(amount) as held from holdings group by token_id) h on h.token_id = t.id
    )
    select count(*)::int as count, (count(*) filter (where is_exact))::int as exact,
           array(select id from token where not is_exact order by id limit ${WRONG_TOKENS_MAX}) as wrong from token`.execute(
    snapshot,
  )
  return onlyRow(rows)
}

/** The one that was recorded last, whatever the clock said. */
export async function findLastReplay(db: Kysely<Database>) {
  return await db.selectFrom('audits').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a sum without a row')
  return row
}
