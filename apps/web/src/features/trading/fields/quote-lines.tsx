import type { ReactNode } from 'react'
import { Value } from '../../../components/figures/value.tsx'
import { formatSol, formatTokens, formatUsdHint, NO_FIGURE } from '../../../lib/format/format.ts'
import { useValueUnit } from '../../../lib/market/value-unit.ts'
import { formatImpact, impactLevel } from '../order/impact.ts'
import type { Quote } from '../order/preview-trade.ts'
import classes from './quote-lines.module.css'
import type { Side } from './side.ts'

const SOL_SHOWN = 6

interface QuoteLinesProps {
  readonly side: Side
  readonly symbol: string
  readonly quote: Quote | null
  /** Percent. */
  readonly slippage: string
}

/** The quote line by line. Rendered without an amount too, so that the layout does not jump. */
export function QuoteLines({ side, symbol, quote, slippage }: QuoteLinesProps) {
  const unit = useValueUnit()
  const formatAmount = (text: string) =>
    side === 'buy' ? `${formatTokens(text)} ${symbol}` : `${formatSol(text, SOL_SHOWN)} SOL`
  return (
    <dl className={classes.lines}>
      <Line label="You receive" isMain exact={quote?.receive}>
        {quote && (
          <>
            {formatAmount(quote.receive)}
            {side === 'sell' && <span className={classes.dim}> {formatUsdHint(quote.receive)}</span>}
          </>
        )}
      </Line>
      <Line label="Fee (0.3%)" exact={quote?.fee}>
        {quote && `${formatSol(quote.fee, SOL_SHOWN)} SOL`}
      </Line>
      <Line label="Price impact">{quote && <Impact impact={quote.impact} />}</Line>
      <Line label={unit === 'price' ? 'Price after' : 'Market cap after'}>
        {quote && (
          <>
            <Value price={quote.priceAfter} unit={unit} />
            {unit === 'price' && ' SOL'}
          </>
        )}
      </Line>
      <Line label={`At least (slippage ${slippage}%)`} exact={quote?.least ?? undefined}>
        {quote && (quote.least === null ? 'any amount' : formatAmount(quote.least))}
      </Line>
    </dl>
  )
}

function Impact({ impact }: { impact: Quote['impact'] }) {
  const level = impactLevel(impact)
  return (
    <span className={classes.level} data-level={level}>
      {formatImpact(impact)}
      {level !== 'calm' && ` · ${level}`}
    </span>
  )
}

interface LineProps {
  readonly label: string
  readonly children: ReactNode
  readonly exact?: string | undefined
  readonly isMain?: boolean
}

function Line({ label, children, exact, isMain = false }: LineProps) {
  return (
    <div className={isMain ? `${classes.line} ${classes.main}` : classes.line}>
      <dt>{label}</dt>
      <dd title={exact}>{children ?? NO_FIGURE}</dd>
    </div>
  )
}
