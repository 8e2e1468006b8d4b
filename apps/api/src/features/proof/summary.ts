import { Decimal, solText } from '@papermoon/amm'
import type { App } from '../../context.ts'
import { figureText } from '../../figure-text.ts'
import type { TokenId } from '../../ids.ts'
import type { ReadingKind } from '../../readings.ts'
import { inSnapshot } from '../../snapshot.ts'
import { findPublication, lastHour } from './heads-store.ts'
import { type AuditSummary, auditSummary } from './schemas.ts'
import { allowTime, checkSupplies, findLastReplay, type SolSums, sumSol } from './summary-store.ts'

const MAX_AGE_MS = 5_000
/** All holdings of a large market on a busy machine. */
const STATEMENT_TIMEOUT_MS = 30_000

const summaryReading: ReadingKind<null, AuditSummary> = {
  name: 'audit',
  schema: auditSummary,
  key: () => '',
  weigh: () => 1,
  follows: () => null,
  isGood: (atMs, nowMs) => nowMs >= atMs && nowMs < atMs + MAX_AGE_MS,
  catchUp: (summary) => ({ data: summary, stale: false }),
}

type Parts = Pick<App, 'db' | 'clock' | 'readings'>

/** Whether every sum is exact, of one moment: read anew every 5 seconds if anybody asks, and shared by all who do. */
export async function summaryOf(app: Parts): Promise<AuditSummary> {
  return await app.readings.get(summaryReading, null, () => readSummary(app))
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
      ...solOf(sums),
      tokens: { count, exact, wrong: wrong as TokenId[] },
      lastReplay: replay === undefined ? null : replayOf(replay),
      heads: publication === undefined ? null : publicationOf(publication),
    }
  })
}

function solOf({ granted, balances, pools, treasury }: SolSums) {
  const difference = new Decimal(granted).sub(balances).sub(pools).sub(treasury)
  return {
    granted: figureText(granted),
    balances: figureText(balances),
    pools: figureText(pools),
    treasury: figureText(treasury),
    difference: solText(difference),
    isExact: difference.isZero(),
  }
}

type Row<Find extends (...args: never[]) => Promise<unknown>> = NonNullable<Awaited<ReturnType<Find>>>

function replayOf(row: Row<typeof findLastReplay>): AuditSummary['lastReplay'] {
  const { started_at, finished_at, last_trade_id, trades, tokens, players, differences } = row
  const times = { startedAt: started_at.toISOString(), finishedAt: finished_at.toISOString() }
  return { ...times, tradeId: last_trade_id, trades, tokens, players, differences }
}

function publicationOf({ hour, published_at, tokens, digest }: Row<typeof findPublication>): AuditSummary['heads'] {
  return { hour: hour.toISOString(), publishedAt: published_at.toISOString(), tokens, digest }
}
