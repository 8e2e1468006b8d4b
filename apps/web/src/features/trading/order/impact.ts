import { Decimal } from '@papermoon/amm'
import { formatChange } from '@papermoon/format'
import type { Trade } from '../../../lib/api/api.ts'

/** Levels of price impact, from 5, 15 and 30 %. */
export type ImpactLevel = 'calm' | 'noticeable' | 'high' | 'extreme'

/** From this fraction on, a trade needs a confirmation. */
const ASK_FROM = new Decimal('0.5')
const CENT = new Decimal('0.0001')
const IMPACT_DECIMALS = 8

/** The level of a price impact, given as a fraction of either sign. */
export function impactLevel(impact: Decimal): ImpactLevel {
  const size = impact.abs()
  if (size.gte('0.3')) return 'extreme'
  if (size.gte('0.15')) return 'high'
  return size.gte('0.05') ? 'noticeable' : 'calm'
}

/** Whether a trade's price impact needs a confirmation. */
export function isAskedAbout(impact: Decimal): boolean {
  return impact.abs().gte(ASK_FROM)
}

/** Formats a price impact as percent with its sign: `+33.23%`. */
export function formatImpact(impact: Decimal): string {
  if (!impact.isZero() && impact.abs().lt(CENT)) return impact.isNegative() ? '> −0.01%' : '< +0.01%'
  return formatChange(impact.mul(100).toFixed())
}

/**
 * How far an executed trade moved the spot price: a fraction, negative for a sale. Needs no pool, as others may have
 * traded before the answer came: on x·y = k the average price before the fee is the geometric mean of the spot prices
 * before and after, so after / before = (after / average)².
 */
export function computeTradeImpact({ side, solAmount, fee, tokenAmount, spotPrice }: ExecutedTrade): Decimal {
  const pooled = side === 'buy' ? new Decimal(solAmount).sub(fee) : new Decimal(solAmount).add(fee)
  if (pooled.isZero()) return new Decimal(0)
  const impact = new Decimal(spotPrice).mul(tokenAmount).div(pooled).pow(2).sub(1)
  return impact.toDecimalPlaces(IMPACT_DECIMALS)
}

type ExecutedTrade = Pick<Trade, 'side' | 'solAmount' | 'fee' | 'tokenAmount' | 'spotPrice'>
