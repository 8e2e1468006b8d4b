import { loadConfig } from '../config.ts'
import { whileLocked } from '../database/take-lock.ts'
import { isAuditDue } from '../features/audit/run-audit.ts'
import { reportAudit } from './audit.ts'
import { type CommandContext, type ExitCode, runChildCommand } from './run-command.ts'

/**
 * Audits the market, unless another node is auditing it or audited it within the interval. The server starts this
 * command on a schedule.
 */
async function auditIfDue({ openDatabase, ...context }: CommandContext): Promise<ExitCode> {
  const { auditEveryHours } = loadConfig()
  const database = await openDatabase()
  let exitCode: ExitCode = 0
  await whileLocked(database.pool, 'auditReplay', async () => {
    if (!(await isAuditDue(database.db, auditEveryHours))) return
    exitCode = await reportAudit({ ...context, openDatabase: async () => database })
  })
  return exitCode
}

await runChildCommand(auditIfDue)
