import { reportAudit } from './report-audit.ts'
import { runCommand } from './run-command.ts'

await runCommand(reportAudit)
