import type { DatabaseClient } from '@papermoon/db'
import { readDatabaseTime } from '../../database/time.ts'
import { findBreak } from '../moderation/public.ts'
import { auditFairs } from './audit-fairs.ts'
import { auditLeagues } from './audit-leagues.ts'
import { type AuditReport, auditMarket } from './audit-market.ts'
import { Differences } from './differences.ts'

/** An audit of the fairground, with the number of other fairs. */
export interface WholeAudit extends AuditReport {
  readonly fairs: number
}

/**
 * Replays the whole journal of the fairground and of all other fairs (`auditMarket`, `auditFairs`), computes the leagues again, and checks the
 * moderation log's chain. Records when the audit ran, how far it came, and the number of differences. The record's
 * other numbers are the fairground's, because those of rooms are private.
 */
export async function runAudit({ db, pool }: Pick<DatabaseClient, 'db' | 'pool'>): Promise<WholeAudit> {
  const startedAt = await readDatabaseTime(db)
  const fairground = await auditMarket(pool)
  const inFairs = await auditMarket(pool, 'fairs')
  const sums = new Differences()
  const fairs = await auditFairs(db, sums)
  await auditLeagues(db, sums)
  const brokenAt = await findBreak(db)
  if (brokenAt !== null) sums.add('moderation log', `row ${brokenAt} was changed or is missing`)
  const report = {
    ...fairground,
    fairs,
    differences: fairground.differences + inFairs.differences + sums.count,
    shown: [...fairground.shown, ...inFairs.shown, ...sums.shown],
  }
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
