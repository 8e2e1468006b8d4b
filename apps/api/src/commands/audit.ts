import { performance } from 'node:perf_hooks'
import { runAudit } from '../features/audit/run-audit.ts'
import { counted } from '../lib/text.ts'
import { type CommandContext, type ExitCode, UsageError } from './run-command.ts'

export const usage = `Usage: papermoon audit

Replays the journal and compares every figure. Works with or without a running server. Exit code 1: it found differences.`

export async function run(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  if (args.length > 0) throw new UsageError(usage)
  return await reportAudit(context)
}

/**
 * `audit`: audits the market, prints each difference and stores the result. The exit code is 1 if there are
 * differences.
 */
export async function reportAudit({ openDatabase, say }: CommandContext): Promise<ExitCode> {
  const database = await openDatabase()
  const startedMs = performance.now()
  const report = await runAudit(database)
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
  const { tokens, trades, rugs, players, holdings, candles, fairs, differences, shown } = report
  const read = [
    counted(trades, 'trade'),
    counted(rugs, 'rug pull'),
    counted(holdings, 'holding'),
    counted(candles, 'candle'),
    `${counted(tokens, 'token')} and ${counted(players, 'player')}`,
  ]
  say(`Read ${read.join(', ')} in ${seconds} s.`)
  if (fairs > 0) say(`Read the books of ${counted(fairs, 'fair')} and computed their results again.`)
  for (const difference of shown) say(difference)
  if (differences > shown.length) say(`… and ${differences - shown.length} more.`)
  const finding = differences === 0 ? 'every sum is exact' : counted(differences, 'difference')
  say(`audit: ${counted(tokens, 'token')}, ${counted(trades, 'trade')}, ${counted(players, 'player')}: ${finding}`)
  return differences === 0 ? 0 : 1
}
