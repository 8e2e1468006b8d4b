import { reportAudit } from './reports/report-audit.ts'
import type { CommandContext, ExitCode } from './run-command.ts'
import { UsageError } from './run-command.ts'

export const usage = `Usage: papermoon audit

Replays the journal and compares every figure. Works with or without a running server. Exit code 1: it found differences.`

export async function run(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  if (args.length > 0) throw new UsageError(usage)
  return await reportAudit(context)
}
