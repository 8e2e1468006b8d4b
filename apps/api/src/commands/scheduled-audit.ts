import { loadConfig } from '../config.ts'
import { whileLocked } from '../database/take-lock.ts'
import { isAuditDue } from '../features/audit/audit-due.ts'
import { reportAudit } from './reports/report-audit.ts'
import { type CommandContext, type ExitCode, runChildCommand } from './run-command.ts'

/** Started by the server on a schedule: audits unless another node is doing it or has done it within the interval. */
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
