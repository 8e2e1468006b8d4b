import { reportAudit } from './reports/report-audit.ts'
import { runCommand } from './run-command.ts'

await runCommand(reportAudit)
