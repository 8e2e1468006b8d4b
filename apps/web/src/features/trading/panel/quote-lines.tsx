import { formatGain, formatSol, formatTokens, formatUsdHint, getSign, NO_FIGURE } from '@papermoon/format'
import type { ReactNode } from 'react'
import { Trend } from '../../../components/figures/change.tsx'
import { Value } from '../../../components/figures/value.tsx'
import { useValueUnit } from '../../../lib/market/value-unit.ts'
import { formatImpact, impactLevel, type Quote, type Side } from '../order/preview-trade.ts'

/** Decimals of a score, as on the page of its fair. */
const SCORE_DECIMALS = 2

interface QuoteLinesProps {
  readonly side: Side
  readonly symbol: string
  readonly quote: Quote | null
  readonly slippage: string
  readonly isInFair: boolean
}

/** Shows the quote line by line. The lines are visible even without an amount, so that the layout does not jump. */
export function QuoteLines({ side, symbol, quote, slippage, isInFair }: QuoteLinesProps) {
  const unit = useValueUnit()
  return (
    <dl className="stack gap-xs text-s">
      <Line label="You receive" isMain exact={quote?.receive}>
        {quote && (
          <>
            {formatReceived(side, quote.receive, symbol)}
            {side === 'sell' && <span className="small regular"> {formatUsdHint(quote.receive)}</span>}
          </>
        )}
      </Line>
      <Line label="Fee (0.3%)" exact={quote?.fee}>
        {quote && `${formatSol(quote.fee)} SOL`}
      </Line>
      <Line label="Price impact">{quote && <Impact impact={quote.impact} />}</Line>
      {isInFair && (
        <Line label="Your score changes by" exact={quote?.scoreChange ?? undefined}>
          {quote?.scoreChange && (
            <Trend sign={getSign(quote.scoreChange)}>{formatGain(quote.scoreChange, SCORE_DECIMALS)} SOL</Trend>
          )}
        </Line>
      )}
      <Line label={unit === 'price' ? 'New price' : 'New market cap'}>
        {quote && <Value price={quote.priceAfter} unit={unit} saysSol />}
      </Line>
      <Line label={`Minimum received (slippage ${slippage}%)`} exact={quote?.least ?? undefined}>
        {quote && (quote.least === null ? 'no minimum' : formatReceived(side, quote.least, symbol))}
      </Line>
    </dl>
  )
}

const LEVEL_LOOKS = {
  calm: '',
  noticeable: 'accent',
  high: 'down',
  extreme: 'px-s round-s on-alarm',
} as const

function Impact({ impact }: { impact: Quote['impact'] }) {
  const level = impactLevel(impact)
  return (
    <span className={LEVEL_LOOKS[level]} data-level={level}>
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
    <div className="flex gap-m between baseline pairs">
      <dt className="fixed">{label}</dt>
      <dd className={isMain ? 'text-l' : ''} title={exact}>
        {children ?? NO_FIGURE}
      </dd>
    </div>
  )
}

export function formatReceived(side: Side, amount: string, symbol: string): string {
  return side === 'buy' ? `${formatTokens(amount)} ${symbol}` : `${formatSol(amount)} SOL`
}
