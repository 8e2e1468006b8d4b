import { SUPPLY } from '@papermoon/amm'
import { formatShare, formatSol, formatTokens, getSign } from '@papermoon/format'
import { useState } from 'react'
import { Trend } from '../../../components/figures/change.tsx'
import { nameValue, useValueUnit, type ValueUnit } from '../../../lib/market/value-unit.ts'
import { mayMove } from '../../../lib/ui/motion.ts'
import { computeTradeImpact, formatImpact, formatSaleGain } from '../order/impact.ts'
import type { Answer } from '../order/place-order.ts'
import classes from './trade-result.module.css'

const SOL_SHOWN = 6
const STARS = 10

interface TradeResultProps {
  readonly symbol: string
  readonly done: Answer
}

/**
 * Shows the result of the player's last order. After a sale, the gain or loss comes first. Stars burst, except after a
 * loss.
 */
export function TradeResult({ symbol, done }: TradeResultProps) {
  const { trade, received, gain } = done
  const unit = useValueUnit()
  const isLoss = trade.side === 'sell' && (gain == null || getSign(gain.sol) !== 1)
  const [hasStars] = useState(() => !isLoss && mayMove('stars'))
  const impact = formatImpact(computeTradeImpact(trade))
  return (
    <div className={`stack middle gap-xs centered round-s text-center ${classes.result}`}>
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
          ? `You got ${formatTokens(received)} ${symbol} for ${formatSol(trade.solAmount, SOL_SHOWN)} SOL`
          : `You got ${formatSol(received, SOL_SHOWN)} SOL for ${formatTokens(trade.tokenAmount)} ${symbol}`}
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

/** Draws stars that fly once and take no clicks. */
function Stars() {
  return (
    <span className={`cover untouchable ${classes.stars}`} aria-hidden="true">
      {Array.from({ length: STARS }, (_, index) => (
        <i key={index} style={{ '--turn': `${index / STARS}turn`, '--size': `${10 + (index % 3) * 5}px` } as object} />
      ))}
    </span>
  )
}
