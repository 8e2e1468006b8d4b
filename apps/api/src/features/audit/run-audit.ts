import type { DatabaseClient } from '@papermoon/db'
import { readDatabaseTime } from '../../database/time.ts'
import { type AuditReport, auditMarket } from './audit-market.ts'

/** Replays the whole journal (`auditMarket`) and records when it ran, how far it came, and the number of differences. */
export async function runAudit({ db, pool }: Pick<DatabaseClient, 'db' | 'pool'>): Promise<AuditReport> {
  const startedAt = await readDatabaseTime(db)
  const report = await auditMarket(pool)
  const { lastTradeId, trades, tokens, players, differences } = report
  await db
    .insertInto('audits')
    .values({
      started_at: startedAt,
      finished_at: await readDatabaseTime(db),
      last_trade_id: lastTradeId,
      trades,
      tokens,
      players,
      differences,
    })
    .execute()
  return report
}
