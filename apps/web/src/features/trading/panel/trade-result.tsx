import { Decimal, SUPPLY } from '@papermoon/amm'
import { formatChange, formatGain, formatShare, formatSol, formatTokens, getSign } from '@papermoon/format'
import { useState } from 'react'
import { Trend } from '../../../components/figures/change.tsx'
import type { Trade } from '../../../lib/api/api.ts'
import { nameValue, useValueUnit, type ValueUnit } from '../../../lib/market/value-unit.ts'
import { mayMove } from '../../../lib/ui/motion.ts'
import { formatImpact } from '../order/preview-trade.ts'
import classes from './trade-result.module.css'
import type { Answer, SaleGain } from './use-trade.ts'

const STARS = 10
const IMPACT_DECIMALS = 8

interface TradeResultProps {
  readonly symbol: string
  readonly done: Answer
}

/**
 * Shows the result of the player's last order. After a sale, the gain or loss comes first. Stars appear unless the
 * player lost money.
 */
export function TradeResult({ symbol, done }: TradeResultProps) {
  const { trade, received, gain } = done
  const unit = useValueUnit()
  const isLoss = trade.side === 'sell' && (gain == null || getSign(gain.sol) !== 1)
  const [hasStars] = useState(() => !isLoss && mayMove('stars'))
  const impact = formatImpact(computeTradeImpact(trade))
  return (
    <div className={`stack middle gap-xs centered round-s text-center relative ${classes.result}`}>
      {gain != null && (
        <strong className="bounded px-s text-l heavy tight breaks">
          <Trend sign={getSign(gain.sol)}>{formatSaleGain(gain)}</Trend>
        </strong>
      )}
      <strong className={gain == null ? 'bounded px-s text-l heavy tight breaks' : ''}>
        {describeOwned(done, symbol)}
      </strong>
      <span className="small bounded px-s breaks">
        {trade.side === 'buy'
          ? `You got ${formatTokens(received)} ${symbol} for ${formatSol(trade.solAmount)} SOL`
          : `You got ${formatSol(received)} SOL for ${formatTokens(trade.tokenAmount)} ${symbol}`}
      </span>
      <span className="small bounded px-s breaks">
        The {nameValue(unit)} moved by {impact}
      </span>
      {hasStars && <Stars />}
    </div>
  )
}

export function describeResult({ symbol, done }: TradeResultProps, unit: ValueUnit): string {
  const impact = formatImpact(computeTradeImpact(done.trade))
  const gain = done.gain == null ? '' : `${formatSaleGain(done.gain)}. `
  return `${gain}${describeOwned(done, symbol)}. The ${nameValue(unit)} moved by ${impact}.`
}

function describeOwned({ position }: Answer, symbol: string): string {
  if (position.amount === '0') return `You sold all your ${symbol}`
  return `You own ${formatShare(position.amount, SUPPLY.toFixed())} of ${symbol}`
}

/** Draws stars that fly once and receive no clicks. */
function Stars() {
  return (
    <span className={`cover untouchable ${classes.stars}`} aria-hidden="true">
      {Array.from({ length: STARS }, (_, index) => (
        <i key={index} style={{ '--turn': `${index / STARS}turn`, '--size': `${10 + (index % 3) * 5}px` } as object} />
      ))}
    </span>
  )
}

/** Formats a sale's gain or loss, such as `+0.235450 SOL (+4.71%)`. */
export function formatSaleGain({ sol, percent }: SaleGain): string {
  return `${formatGain(sol)} SOL (${formatChange(percent)})`
}

/**
 * Computes how far an executed trade moved the spot price, as a fraction that is negative for a sale. The function does
 * not use the pool, because others may have traded before the response arrived. On x·y = k, the average price before
 * the fee is the geometric mean of the spot prices before and after the trade, so after / before = (after / average)².
 */
export function computeTradeImpact({ side, solAmount, fee, tokenAmount, spotPrice }: ExecutedTrade): Decimal {
  const pooled = side === 'buy' ? new Decimal(solAmount).sub(fee) : new Decimal(solAmount).add(fee)
  if (pooled.isZero()) return new Decimal(0)
  const impact = new Decimal(spotPrice).mul(tokenAmount).div(pooled).pow(2).sub(1)
  return impact.toDecimalPlaces(IMPACT_DECIMALS)
}

type ExecutedTrade = Pick<Trade, 'side' | 'solAmount' | 'fee' | 'tokenAmount' | 'spotPrice'>
