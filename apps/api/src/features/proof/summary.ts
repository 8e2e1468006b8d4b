import { Decimal, solText } from '@papermoon/amm'
import { type AuditSummary, auditSummary, WRONG_TOKENS_MAX } from '@papermoon/contract/proof'
import type { Db } from '@papermoon/db'
import { formatNumeric } from '@papermoon/db'
import type { TokenId } from '@papermoon/engine'
import { sql } from 'kysely'
import { defineTimedQuery } from '../../cache/query-cache.ts'
import type { AppPart } from '../../context.ts'
import type { Snapshot } from '../../database/snapshot.ts'
import { inSnapshot } from '../../database/snapshot.ts'
import { findPublication, lastHour } from './publish-heads.ts'

const CACHED_MS = 5_000
/**
 * How long a result is cached, as a multiple of the time that computing it took. The checks therefore take at most a
 * tenth of PostgreSQL's time, and large markets are checked less often.
 */
const CACHED_TIMES_READ = 10
/** Max time in ms that counts as the duration of the checks. The limit matters if the clock jumps forward. */
const READ_MAX_MS = 60_000
/** Max time for a statement in ms, enough for all holdings of a large market on a busy machine. */
const STATEMENT_TIMEOUT_MS = 30_000

const summaryQuery = defineTimedQuery<null, AuditSummary>({
  name: 'audit',
  schema: auditSummary,
  isFresh,
})

type Parts = AppPart<'db' | 'clock' | 'queryCache'>

/**
 * Checks every sum on one snapshot of the database. All callers share the result. The next checks run 5 seconds, or ten
 * times their duration, after the last ones ended.
 */
export async function getSummary(app: Parts): Promise<AuditSummary> {
  return await app.market.queryCache.get(summaryQuery, null, () => readSummary(app))
}

function isFresh(atMs: number, nowMs: number, { checkedAt }: AuditSummary): boolean {
  const tookMs = Math.min(READ_MAX_MS, Math.max(0, Date.parse(checkedAt) - atMs))
  return nowMs >= atMs && nowMs < atMs + tookMs + Math.max(CACHED_MS, CACHED_TIMES_READ * tookMs)
}

async function readSummary({ platform: { db, clock } }: Parts): Promise<AuditSummary> {
  return await inSnapshot(db, async (snapshot) => {
    await allowTime(snapshot, STATEMENT_TIMEOUT_MS)
    const sums = await sumSol(snapshot)
    const { count, exact, wrong } = await checkSupplies(snapshot)
    const replay = await findLastReplay(snapshot)
    const hour = await lastHour(snapshot)
    const publication = hour === null ? undefined : await findPublication(snapshot, hour)
    return {
      checkedAt: clock.now().toISOString(),
      ...toSol(sums),
      tokens: { count, exact, wrong: wrong as TokenId[] },
      lastReplay: replay === undefined ? null : toReplay(replay),
      heads: publication === undefined ? null : toPublication(publication),
    }
  })
}

function toSol({ granted, register, reset, house, balances, pools, treasury }: SolSums) {
  const difference = new Decimal(granted).sub(balances).sub(pools).sub(treasury)
  return {
    granted: formatNumeric(granted),
    grants: { register: formatNumeric(register), reset: formatNumeric(reset), house: formatNumeric(house) },
    balances: formatNumeric(balances),
    pools: formatNumeric(pools),
    treasury: formatNumeric(treasury),
    difference: solText(difference),
    isExact: difference.isZero(),
  }
}

type Row<Find extends (...args: never[]) => Promise<unknown>> = NonNullable<Awaited<ReturnType<Find>>>

function toReplay(row: Row<typeof findLastReplay>): AuditSummary['lastReplay'] {
  const { started_at, finished_at, last_trade_id, trades, tokens, players, differences } = row
  const times = { startedAt: started_at.toISOString(), finishedAt: finished_at.toISOString() }
  return { ...times, tradeId: last_trade_id, trades, tokens, players, differences }
}

function toPublication({ hour, published_at, tokens, digest }: Row<typeof findPublication>): AuditSummary['heads'] {
  return { hour: hour.toISOString(), publishedAt: published_at.toISOString(), tokens, digest }
}

interface SolSums {
  readonly granted: string
  readonly register: string
  readonly reset: string
  readonly house: string
  readonly balances: string
  readonly pools: string
  readonly treasury: string
}

interface SupplyRow {
  readonly count: number
  readonly exact: number
  readonly wrong: number[]
}

/** Sets a longer statement timeout. The checks lock nothing, and all callers share the result. */
async function allowTime(snapshot: Snapshot, timeoutMs: number): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(snapshot)
}

async function sumSol(snapshot: Snapshot): Promise<SolSums> {
  const { rows } = await sql<SolSums>`
    select g.granted, g.register, g.reset, g.house, (select coalesce(sum(sol_balance), 0) from accounts) as balances, p.real as pools,
           p.fees + (select coalesce(sum(launch_fee), 0) from tokens) as treasury
      from (select coalesce(sum(sol_reserve - virtual_sol), 0) as real, coalesce(sum(fees), 0) as fees from pools) p,
           (select coalesce(sum(amount), 0) as granted, ${grantsOfKind('register')} as register,
                   ${grantsOfKind('reset')} as reset, ${grantsOfKind('house')} as house from grants) g`.execute(
    snapshot,
  )
  return onlyRow(rows)
}

function grantsOfKind(kind: string) {
  return sql`coalesce(sum(amount) filter (where kind = ${kind}), 0)`
}

/** Returns the number of tokens, the number of those with a correct supply, and the ids of the first others. */
async function checkSupplies(snapshot: Snapshot): Promise<SupplyRow> {
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

/** Finds the last recorded replay by its order in the table, because its clock may have been wrong. */
async function findLastReplay(db: Db) {
  return await db.selectFrom('audits').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a sum without a row')
  return row
}
