import { Decimal, percentText, positionAfterSell, solText } from '@papermoon/amm'
import { formatChange, formatGain } from '@papermoon/format'
import type { Position, Trade } from '../../../lib/api/api.ts'
import type { SaleGain } from './place-order.ts'

/** Levels of the price impact. The limits between the levels are 5, 15 and 30 %. */
export type ImpactLevel = 'calm' | 'noticeable' | 'high' | 'extreme'

/** Min price impact at which a trade needs a confirmation, as a fraction. */
const ASK_FROM = new Decimal('0.5')
const CENT = new Decimal('0.0001')
const IMPACT_DECIMALS = 8
const SOL_SHOWN = 6

/** Returns the level of a price impact, which is a positive or negative fraction. */
export function impactLevel(impact: Decimal): ImpactLevel {
  const size = impact.abs()
  if (size.gte('0.3')) return 'extreme'
  if (size.gte('0.15')) return 'high'
  return size.gte('0.05') ? 'noticeable' : 'calm'
}

export function isAskedAbout(impact: Decimal): boolean {
  return impact.abs().gte(ASK_FROM)
}

/** Formats a sale's gain or loss: `+0.235450 SOL (+4.71%)`. */
export function formatSaleGain({ sol, percent }: SaleGain): string {
  return `${formatGain(sol, SOL_SHOWN)} SOL (${formatChange(percent)})`
}

/** Formats a price impact as percent with its sign: `+33.23%`. */
export function formatImpact(impact: Decimal): string {
  if (!impact.isZero() && impact.abs().lt(CENT)) return impact.isNegative() ? '> −0.01%' : '< +0.01%'
  return formatChange(impact.mul(100).toFixed())
}

/**
 * Computes how far an executed trade moved the spot price: a fraction, negative for a sale. The function needs no pool,
 * because others may have traded before the response arrived. On x·y = k, the average price before the fee is the
 * geometric mean of the spot prices before and after, so after / before = (after / average)².
 */
export function computeTradeImpact({ side, solAmount, fee, tokenAmount, spotPrice }: ExecutedTrade): Decimal {
  const pooled = side === 'buy' ? new Decimal(solAmount).sub(fee) : new Decimal(solAmount).add(fee)
  if (pooled.isZero()) return new Decimal(0)
  const impact = new Decimal(spotPrice).mul(tokenAmount).div(pooled).pow(2).sub(1)
  return impact.toDecimalPlaces(IMPACT_DECIMALS)
}

/**
 * Computes a sale's gain or loss against the average cost of the sold tokens. `before` is the holding known when the
 * order was sent. Returns null if the earlier holding is unknown, or if it changed before the sale.
 */
export function computeSaleGain({ trade, position }: ExecutedSale, before: Holding | undefined): SaleGain | null {
  const { side, solAmount, tokenAmount } = trade
  if (side !== 'sell' || before === undefined) return null
  const held = { amount: new Decimal(before.amount), cost: new Decimal(before.cost) }
  if (!held.amount.eq(new Decimal(position.amount).add(tokenAmount))) return null
  const sale = positionAfterSell(held, new Decimal(tokenAmount), new Decimal(solAmount))
  if (!sale.position.cost.eq(position.cost)) return null
  return { sol: solText(sale.realizedPnl), percent: percentText(sale.realizedPnl, sale.costRemoved) }
}

type Holding = Pick<Position, 'amount' | 'cost'>

interface ExecutedSale {
  readonly trade: Pick<Trade, 'side' | 'solAmount' | 'tokenAmount'>
  readonly position: Holding
}

type ExecutedTrade = Pick<Trade, 'side' | 'solAmount' | 'fee' | 'tokenAmount' | 'spotPrice'>
