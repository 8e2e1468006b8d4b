import { Decimal, solText } from '@papermoon/amm'
import { formatNumeric } from '@papermoon/db'
import type { TokenId } from '@papermoon/engine'
import type { CachedQuery } from '../../cache/query-cache.ts'
import type { App } from '../../context.ts'
import { inSnapshot } from '../../database/snapshot.ts'
import { findPublication, lastHour } from './heads-store.ts'
import { type AuditSummary, auditSummary } from './schemas.ts'
import { allowTime, checkSupplies, findLastReplay, type SolSums, sumSol } from './summary-store.ts'

const KEPT_MS = 5_000
/** The larger the market, the longer a reading is kept: one takes a tenth of PostgreSQL's time at most. */
const KEPT_TIMES_READ = 10
/** Bounds what a clock that jumps makes of a read's duration. */
const READ_MAX_MS = 60_000
/** All holdings of a large market on a busy machine. */
const STATEMENT_TIMEOUT_MS = 30_000

const summaryQuery: CachedQuery<null, AuditSummary> = {
  name: 'audit',
  schema: auditSummary,
  key: () => '',
  weight: () => 1,
  scope: () => null,
  isFresh,
  applyEvents: (summary) => ({ data: summary, stale: false }),
}

type Parts = Pick<App, 'db' | 'clock' | 'queryCache'>

/**
 * Whether every sum is exact, of one moment: shared by all who ask, and read anew when the last reading ended 5 seconds ago, or
 * ten times as long ago as it took.
 */
export async function getSummary(app: Parts): Promise<AuditSummary> {
  return await app.queryCache.get(summaryQuery, null, () => readSummary(app))
}

function isFresh(atMs: number, nowMs: number, { checkedAt }: AuditSummary): boolean {
  const tookMs = Math.min(READ_MAX_MS, Math.max(0, Date.parse(checkedAt) - atMs))
  return nowMs >= atMs && nowMs < atMs + tookMs + Math.max(KEPT_MS, KEPT_TIMES_READ * tookMs)
}

async function readSummary({ db, clock }: Parts): Promise<AuditSummary> {
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

function toSol({ granted, balances, pools, treasury }: SolSums) {
  const difference = new Decimal(granted).sub(balances).sub(pools).sub(treasury)
  return {
    granted: formatNumeric(granted),
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
