import { formatCount, formatSol } from '../../../lib/format/format.ts'

/** What a creator did with all their tokens, as the server counts it. */
interface LaunchRecord {
  readonly launched: number
  readonly rugged: number
  /** SOL that the rug pulls drained. */
  readonly ruggedAmount: string
}

const SOL_SHOWN = 2

/** One sentence about the creator's other tokens. The token on screen is one of `launched`, and is not rugged. */
export function formatRecord({ launched, rugged, ruggedAmount }: LaunchRecord, isOwn: boolean): string {
  const who = isOwn ? 'You have' : 'The creator has'
  const others = launched - 1
  if (others <= 0) return `${who} launched no other token.`
  const tokens = `${formatCount(others)} other ${others === 1 ? 'token' : 'tokens'}`
  if (rugged === 0) return `${who} launched ${tokens} and rugged none.`
  const taken = `${formatSol(ruggedAmount, SOL_SHOWN)} SOL`
  return `${who} launched ${tokens}, rugged ${formatCount(rugged)} and took ${taken}.`
}
