import type { Database, DatabaseClient } from '@papermoon/db'
import type { Kysely } from 'kysely'
import { readDatabaseTime } from '../../database/time.ts'
import { type AuditReport, auditMarket } from './audit-market.ts'
import { type AuditedReplica, openAuditedReplica } from './audited-replica.ts'

interface AuditOptions {
  /** Read instead of the primary where it is near enough; null: none. */
  readonly replica?: AuditedReplica | null
  /** Called with a sentence about where the journal is read. */
  readonly onSource?: (sentence: string) => void
}

/**
 * Replays the whole journal (`auditMarket`) and records when it ran, how far it came, and the number of differences. Where a
 * replica cannot be read, or differs from its own journal, the primary is replayed.
 */
export async function runAudit(
  { db, pool }: Pick<DatabaseClient, 'db' | 'pool'>,
  { replica = null, onSource = () => {} }: AuditOptions = {},
): Promise<AuditReport> {
  const startedAt = await readDatabaseTime(db)
  const found = replica === null ? null : await auditReplica(db, replica, onSource)
  const report = found ?? (await auditMarket(pool))
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

/** Null where the primary must be replayed. */
async function auditReplica(
  db: Kysely<Database>,
  replica: AuditedReplica,
  onSource: (sentence: string) => void,
): Promise<AuditReport | null> {
  try {
    const report = await auditMarket(await openAuditedReplica(db, replica))
    if (report.differences === 0) {
      onSource('The journal was read from the replica of READ_DATABASE_URL.')
      return report
    }
    onSource(
      `The replica of READ_DATABASE_URL has ${report.differences} differences: make it again if the primary has fewer.`,
    )
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    onSource(`The replica of READ_DATABASE_URL could not be audited (${why}): the primary is.`)
  }
  return null
}
