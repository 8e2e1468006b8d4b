import { AmmError, Decimal, OutputIsZeroError, type Pool, quoteSell, solText } from '@papermoon/amm'
import { formatCount, formatShare, formatSol } from '@papermoon/format'
import type { LaunchRecord } from '../../../lib/api/api.ts'

export interface SaleOfAll {
  /** The fall in percent of the current price, such as `42.31%`. */
  readonly fall: string
  /** SOL that the seller would receive, after the fee. */
  readonly proceeds: string
}

const NO_SALE: SaleOfAll = { fall: '0.00%', proceeds: '0' }

/**
 * Quotes the sale of a whole holding. The quote is zero if the holding is empty or too small to pay a lamport. Returns
 * null if a rug pull closed the pool, or if the pool on screen is older than the holding.
 */
export function quoteSaleOfAll(pool: Pool, amount: string): SaleOfAll | null {
  if (amount === '0') return NO_SALE
  try {
    const { spotBefore, spotAfter, solOut } = quoteSell(pool, new Decimal(amount))
    return { fall: formatShare(spotBefore.sub(spotAfter).toFixed(), spotBefore.toFixed()), proceeds: solText(solOut) }
  } catch (error) {
    if (error instanceof OutputIsZeroError) return NO_SALE
    if (error instanceof AmmError) return null
    throw error
  }
}

type Record = Pick<LaunchRecord, 'launched' | 'rugged' | 'ruggedAmount' | 'scoundrel'>

interface Shown {
  readonly isOwn: boolean
  /** Whether the token on screen is in the main market, so that `launched` includes it (although it is not rugged). */
  readonly isCounted: boolean
}

/** Describes the creator's other tokens in the main market in one sentence. */
export function formatRecord(
  { launched, rugged, ruggedAmount, scoundrel }: Record,
  { isOwn, isCounted }: Shown,
): string {
  const who = isOwn ? 'You have' : 'The creator has'
  const others = isCounted ? launched - 1 : launched
  const token = isCounted ? 'other token' : 'token'
  if (others <= 0) return `${who} launched no ${token} in the main market.`
  const tokens = `${formatCount(others)} ${token}${others === 1 ? '' : 's'} in the main market`
  const rugs = rugged === 0 ? 'none' : `${formatCount(rugged)} (for ${formatSol(ruggedAmount)} SOL)`
  const record = `${who} launched ${tokens} and rugged ${rugs}.`
  return scoundrel === 0 ? record : `${record} “Scoundrel” verdicts from rug courts: ${formatCount(scoundrel)}.`
}
