import { formatShare, formatSol, formatTokens } from '@papermoon/format'
import { useState } from 'react'
import { nameValue, useValueUnit, type ValueUnit } from '../../../lib/market/value-unit.ts'
import { mayMove } from '../../../lib/ui/motion.ts'
import { computeTradeImpact, formatImpact } from '../order/impact.ts'
import type { Answer } from '../order/place-order.ts'
import classes from './trade-result.module.css'

const SOL_SHOWN = 6
const STARS = 10

interface TradeResultProps {
  readonly symbol: string
  /** Number of tokens that exist. */
  readonly supply: string
  readonly done: Answer
}

/** Result of the player's last order, with a small burst of paper stars. */
export function TradeResult({ symbol, supply, done }: TradeResultProps) {
  const { trade, received } = done
  const unit = useValueUnit()
  const [hasStars] = useState(() => mayMove('stars'))
  const impact = formatImpact(computeTradeImpact(trade))
  return (
    <div className={classes.result} data-side={trade.side}>
      {hasStars && <Stars />}
      <strong className={classes.owned}>{describeOwned(done, symbol, supply)}</strong>
      <span className={classes.moved}>
        The {nameValue(unit)} moved <b>{impact}</b>
      </span>
      <span className={classes.exact}>
        {trade.side === 'buy'
          ? `${formatTokens(received)} ${symbol} for ${formatSol(trade.solAmount, SOL_SHOWN)} SOL`
          : `${formatSol(received, SOL_SHOWN)} SOL for ${formatTokens(trade.tokenAmount)} ${symbol}`}
      </span>
    </div>
  )
}

/** The result in one sentence, for screen readers. */
export function describeResult({ symbol, supply, done }: TradeResultProps, unit: ValueUnit): string {
  const impact = formatImpact(computeTradeImpact(done.trade))
  return `${describeOwned(done, symbol, supply)}, the ${nameValue(unit)} moved ${impact}.`
}

function describeOwned({ position }: Answer, symbol: string, supply: string): string {
  if (position.amount === '0') return `You own no ${symbol} any more`
  return `You own ${formatShare(position.amount, supply)} of ${symbol}`
}

/** Flies once, and catches no click. */
function Stars() {
  return (
    <span className={classes.stars} aria-hidden="true">
      {Array.from({ length: STARS }, (_, index) => (
        <i key={index} style={{ '--turn': `${index / STARS}turn`, '--size': `${10 + (index % 3) * 5}px` } as object} />
      ))}
    </span>
  )
}
