import { constants, setPriority } from 'node:os'
import { loadConfig } from '../config.ts'
import { asOnlyReplay, isAuditDue } from '../features/audit/audit-due.ts'
import { reportAudit } from './reports/report-audit.ts'
import { type CommandContext, type ExitCode, runCommand } from './run-command.ts'

/** Started by the server on a schedule: audits unless another node is doing it or has done it within the interval. */
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
// Exit with the server. This listener alone does not keep the process alive, since the channel is unreferenced below.
process.once('disconnect', () => process.exit(2))
// The server may have ended before the listener was attached. Undefined: not started as a child process.
if (process.connected === false) process.exit(2)
process.channel?.unref()
await runCommand(auditIfDue)
