import { UsageError } from './command-error.ts'
import { reportAudit } from './reports/report-audit.ts'
import type { CommandContext, ExitCode } from './run-command.ts'

export const usage = `Usage: papermoon audit

Replays the journal and compares every figure, beside a running server or without one. Exit code 1: there are differences.`

export async function run(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  if (args.length > 0) throw new UsageError(usage)
  return await reportAudit(context)
}
