import { constants, setPriority } from 'node:os'
import { loadConfig } from '../config.ts'
import { asOnlyReplay, isAuditDue } from '../features/audit/audit-due.ts'
import { reportAudit } from './reports/report-audit.ts'
import { type CommandContext, type ExitCode, runCommand } from './run-command.ts'

/** What a server starts now and then: an audit unless another node does it, or has just done it. */
async function auditIfDue({ openDatabase, ...context }: CommandContext): Promise<ExitCode> {
  const { auditEveryHours } = loadConfig()
  const database = await openDatabase()
  let exitCode: ExitCode = 0
  await asOnlyReplay(database.pool, async () => {
    if (!(await isAuditDue(database.db, auditEveryHours))) return
    exitCode = await reportAudit({ ...context, openDatabase: async () => database })
  })
  return exitCode
}

setPriority(constants.priority.PRIORITY_LOW)
// The server is gone, however it went; listening for that alone keeps nothing running.
process.once('disconnect', () => process.exit(2))
// It may have gone before anybody listened. Undefined: nobody started this as a child.
if (process.connected === false) process.exit(2)
process.channel?.unref()
await runCommand(auditIfDue)
