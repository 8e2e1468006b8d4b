import { Decimal } from '@papermoon/amm'
import { formatChange } from '../../../lib/format/format.ts'

/** Levels of price impact, from 5, 15 and 30 %. */
export type ImpactLevel = 'calm' | 'noticeable' | 'high' | 'extreme'

/** From this fraction on, a trade needs a confirmation. */
const ASK_FROM = new Decimal('0.5')
const CENT = new Decimal('0.0001')

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
