import type { DatabaseClient } from '@papermoon/db'
import { runAudit } from '../../features/audit/run-audit.ts'
import type { Audited } from '../../features/backup/manifest.ts'
import { counted } from '../reports/report-audit.ts'

/** Audits a restored database, whose report is not that of the market. */
export async function auditCopy(database: DatabaseClient): Promise<Audited> {
  const { trades, tokens, players, differences } = await runAudit(database)
  return { trades, tokens, players, differences }
}

export function describeAudit({ trades, tokens, players, differences }: Audited): string {
  const finding = differences === 0 ? 'every sum is exact' : counted(differences, 'difference')
  return `${counted(tokens, 'token')}, ${counted(trades, 'trade')}, ${counted(players, 'player')}: ${finding}`
}
