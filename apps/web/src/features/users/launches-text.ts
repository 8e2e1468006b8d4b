import type { LaunchRecord } from '../../lib/api/api.ts'
import { formatCount, formatSol } from '../../lib/format/format.ts'

const SOL_SHOWN = 2

/** One sentence about what a player did with the tokens that they launched. */
export function formatLaunches({ launched, rugged, ruggedAmount }: LaunchRecord): string {
  if (launched === 0) return 'Never launched a token.'
  const tokens = `${formatCount(launched)} ${launched === 1 ? 'token' : 'tokens'}`
  if (rugged === 0) return `Launched ${tokens} and rugged none.`
  return `Launched ${tokens}, rugged ${formatCount(rugged)} and took ${formatSol(ruggedAmount, SOL_SHOWN)} SOL.`
}
