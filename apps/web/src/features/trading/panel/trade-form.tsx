import { SOL_DECIMALS, TOKEN_DECIMALS } from '@papermoon/amm'
import { type RefObject, useMemo, useRef } from 'react'
import type { Token } from '../../../lib/api/api.ts'
import { formatSol, formatTokens, formatUsdHint } from '../../../lib/format/format.ts'
import { toPool } from '../../../lib/market/pool-from-state.ts'
import { QuoteLines } from '../fields/quote-lines.tsx'
import type { Side } from '../fields/side.ts'
import { SlippageField } from '../fields/slippage-field.tsx'
import { TradeAmountField } from '../fields/trade-amount-field.tsx'
import { previewTrade, type Quote } from '../order/preview-trade.ts'
import { computeShare } from '../order/share.ts'
import { SLIPPAGE_DEFAULT, slippageFraction } from '../order/slippage.ts'
import { SubmitArea } from './submit-area.tsx'
import classes from './trade-form.module.css'

const QUICK_BUYS = ['1', '5', '10']
const QUICK_SELLS = [25, 50, 75, 100]
const BALANCE_SHOWN = 2

interface TradeFormProps {
  readonly token: Pick<Token, 'symbol' | 'pool'>
  readonly side: Side
  readonly input: RefObject<HTMLInputElement | null>
  readonly text: string
  readonly onText: (text: string) => void
  /** Exact amount the player has of what is paid; null for guests and while unknown. */
  readonly have: string | null
  readonly isGuest: boolean
  readonly slippage: string
  readonly onSlippage: (percent: string) => void
  readonly isBusy: boolean
  /** Exact amount of an order whose outcome is unknown; null if there is none. */
  readonly unsettledAmount: string | null
  readonly onSubmit: (quote: Quote) => void
}

/** One side of the trade panel: amount, quote and submit button. */
export function TradeForm(props: TradeFormProps) {
  const { token, side, text, onText, have, isGuest, slippage, isBusy, onSubmit } = props
  const { symbol, pool } = token
  const isBuy = side === 'buy'
  const preview = useMemo(
    () => previewTrade({ side, text, pool: toPool({ pool }), have, slippage: slippageFraction(slippage) }),
    [side, text, pool, have, slippage],
  )
  const { quote } = preview
  const button = useRef<HTMLButtonElement>(null)
  return (
    <div className={classes.form} aria-busy={isBusy}>
      <div>
        <TradeAmountField
          input={props.input}
          unit={isBuy ? 'SOL' : symbol}
          decimals={isBuy ? SOL_DECIMALS : TOKEN_DECIMALS}
          value={text}
          onChange={onText}
          // A disabled button ignores this click too.
          onEnter={() => button.current?.click()}
          have={have}
          haveText={haveText(side, symbol, have)}
          hint={quote === null ? '' : formatUsdHint(isBuy ? quote.amount : quote.receive)}
          invalid={preview.refusal === 'short' || preview.refusal === 'large'}
          disabled={isBusy}
        />
        <QuickAmounts side={side} have={have} disabled={isBusy} onPick={onText} />
      </div>
      <QuoteLines side={side} symbol={symbol} quote={quote} slippage={slippage === '' ? SLIPPAGE_DEFAULT : slippage} />
      <SubmitArea
        key={side}
        button={button}
        side={side}
        symbol={symbol}
        preview={preview}
        isBusy={isBusy}
        isGuest={isGuest}
        isRepeat={quote !== null && quote.amount === props.unsettledAmount}
        onSubmit={onSubmit}
      />
      <SlippageField value={slippage} onChange={props.onSlippage} />
    </div>
  )
}

function haveText(side: Side, symbol: string, have: string | null): string | null {
  if (have === null) return null
  return side === 'buy' ? `Balance: ${formatSol(have, BALANCE_SHOWN)} SOL` : `You hold ${formatTokens(have)} ${symbol}`
}

interface QuickAmountsProps {
  readonly side: Side
  readonly have: string | null
  readonly disabled: boolean
  readonly onPick: (amount: string) => void
}

function QuickAmounts({ side, have, disabled, onPick }: QuickAmountsProps) {
  const picks =
    side === 'buy'
      ? QUICK_BUYS.map((sol) => ({ label: `${sol} SOL`, amount: sol }))
      : QUICK_SELLS.map((percent) => ({
          label: `${percent}%`,
          amount: have === null || have === '0' ? null : computeShare(have, percent),
        }))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out as a row in every browser.
    <div className={classes.quick} role="group" aria-label={side === 'buy' ? 'Quick buy' : 'Quick sell'}>
      {picks.map(({ label, amount }) => (
        <button
          key={label}
          type="button"
          className={classes.chip}
          disabled={disabled || amount === null}
          onClick={() => amount !== null && onPick(amount)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
