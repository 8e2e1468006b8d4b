import { formatSol, formatTokens, formatUsdHint, NO_FIGURE } from '@papermoon/format'
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react'
import { Value } from '../../../components/figures/value.tsx'
import { Segmented } from '../../../components/form/segmented.tsx'
import type { Token } from '../../../lib/api/api.ts'
import { useTypedAmount } from '../../../lib/hooks/use-typed-amount.ts'
import { formatSealEnd, freeAmount, type SealedBag } from '../../../lib/market/own-seal.ts'
import { toPool } from '../../../lib/market/pool-from-state.ts'
import { useValueUnit } from '../../../lib/market/value-unit.ts'
import { TradeAmountField } from '../fields/trade-amount-field.tsx'
import { formatImpact, impactLevel, previewTrade, type Quote, type Side } from '../order/preview-trade.ts'
import {
  isSlippage,
  SLIPPAGE_DECIMALS,
  SLIPPAGE_DEFAULT,
  slippageFraction,
  storedSlippage,
  storeSlippage,
} from '../order/slippage.ts'
import { formatReceived, SubmitArea } from './submit-area.tsx'
import classes from './trade-form.module.css'
import { TradeResult } from './trade-result.tsx'
import type { Trading } from './use-trade.ts'

interface TradeFormProps {
  readonly token: Pick<Token, 'symbol' | 'pool'>
  readonly side: Side
  readonly input: RefObject<HTMLInputElement | null>
  readonly text: string
  readonly onText: (text: string) => void
  /** Exact amount that the player can pay, or null for guests and while the amount is unknown. */
  readonly have: string | null
  /** The part of the player's holding that is sealed. */
  readonly sealedBag?: SealedBag | null
  readonly isGuest?: boolean
  readonly trade: Trading
}

/**
 * One side of the trade panel: amount, quote and submit button. After an order, the order's result replaces the quote
 * until the player fills in an amount.
 */
export function TradeForm({ token, side, input, text, onText, isGuest = false, trade, ...props }: TradeFormProps) {
  const { symbol, pool } = token
  const [slippage, setSlippage] = useState(storedSlippage)
  const { isBusy, failed } = trade
  const sealed = (side === 'sell' && props.sealedBag) || null
  const have = props.have === null ? null : freeAmount(props.have, sealed)
  const preview = useMemo(
    () => previewTrade({ side, text, pool: toPool({ pool }), have, slippage: slippageFraction(slippage) }),
    [side, text, pool, have, slippage],
  )
  const { quote } = preview
  const result = text === '' && !isBusy && trade.done?.trade.side === side ? trade.done : null
  const isSame = failed?.order.side === side && failed.order.amount === quote?.amount
  const button = useRef<HTMLButtonElement>(null)
  return (
    <div className={`stack gap-m fit ${classes.form}`} aria-busy={isBusy}>
      <div>
        <TradeAmountField
          input={input}
          button={button}
          side={side}
          symbol={symbol}
          value={text}
          onChange={(next) => {
            trade.forgetRefusal()
            onText(next)
          }}
          held={props.have}
          have={have}
          hint={quote === null ? '' : formatUsdHint(side === 'buy' ? quote.amount : quote.receive)}
          invalid={preview.refusal === 'short' || preview.refusal === 'large'}
          disabled={isBusy}
        />
        {sealed !== null && (
          <p className="mt-s dim">
            {formatTokens(sealed.tokens)} {symbol} are sealed {formatSealEnd(sealed.until)}.
          </p>
        )}
      </div>
      <div className={`grid ${classes.told}`} data-result={result !== null}>
        <QuoteLines
          side={side}
          symbol={symbol}
          quote={quote}
          slippage={slippage === '' ? SLIPPAGE_DEFAULT : slippage}
        />
        {result !== null && <TradeResult key={result.trade.seq} symbol={symbol} done={result} />}
      </div>
      <SubmitArea
        key={side}
        button={button}
        side={side}
        symbol={symbol}
        preview={preview}
        have={have}
        isBusy={isBusy}
        isGuest={isGuest}
        isSealed={sealed !== null}
        failed={isSame ? failed : null}
        onSubmit={trade.submit}
      />
      <SlippageField
        value={slippage}
        onChange={(percent) => {
          setSlippage(percent)
          storeSlippage(percent)
        }}
      />
    </div>
  )
}

const PRESETS = [
  { value: '0.5', label: '0.5%' },
  { value: '2', label: '2%' },
  { value: '5', label: '5%' },
]

interface SlippageFieldProps {
  readonly value: string
  readonly onChange: (percent: string) => void
}

function SlippageField({ value, onChange }: SlippageFieldProps) {
  const typing = useTypedAmount(value, SLIPPAGE_DECIMALS, (percent) => {
    if (percent === '' || isSlippage(percent)) onChange(percent)
  })
  return (
    <details className="text-s">
      <summary className="py-s dim hover-ink">Slippage: {value === '' ? SLIPPAGE_DEFAULT : value}%</summary>
      <div className="row gap-s wrap py-s">
        <Segmented
          label="Slippage presets"
          options={PRESETS}
          value={PRESETS.find((preset) => preset.value === value)?.value ?? null}
          onChange={onChange}
        />
        <label className="dim semibold inline-row gap-xs">
          <span className="visually-hidden">Slippage in percent</span>
          <input
            className={`control px-s round-s ink text-right edge on-ground ${classes.input}`}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            value={typing.text}
            onChange={(event) => typing.type(event.currentTarget.value)}
            onBlur={() => value === '' && onChange(SLIPPAGE_DEFAULT)}
          />
          <span aria-hidden="true">%</span>
        </label>
      </div>
      <p className="mt-s dim" role="status">
        {typing.hint}
      </p>
      <p className="mt-s dim">If the price moves further than this limit, nothing is traded.</p>
    </details>
  )
}

interface QuoteLinesProps {
  readonly side: Side
  readonly symbol: string
  readonly quote: Quote | null
  readonly slippage: string
}

/** Shows the quote line by line. The lines are visible even without an amount, so that the layout does not jump. */
function QuoteLines({ side, symbol, quote, slippage }: QuoteLinesProps) {
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
