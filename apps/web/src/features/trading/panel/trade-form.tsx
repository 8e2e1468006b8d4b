import { SOL_DECIMALS, TOKEN_DECIMALS } from '@papermoon/amm'
import { type ReactNode, type RefObject, useMemo, useRef } from 'react'
import type { Token } from '../../../lib/api/api.ts'
import { formatSol, formatTokens, formatUsdHint } from '../../../lib/format/format.ts'
import { toPool } from '../../../lib/market/pool-from-state.ts'
import { QuickAmounts } from '../fields/quick-amounts.tsx'
import { QuoteLines } from '../fields/quote-lines.tsx'
import type { Side } from '../fields/side.ts'
import { SlippageField } from '../fields/slippage-field.tsx'
import { TradeAmountField } from '../fields/trade-amount-field.tsx'
import { previewTrade, type Quote } from '../order/preview-trade.ts'
import { SLIPPAGE_DEFAULT, slippageFraction } from '../order/slippage.ts'
import { SubmitArea } from './submit-area.tsx'
import classes from './trade-form.module.css'
import type { RefusedOrder } from './use-trade.ts'

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
  /** This side's order whose outcome is unknown, or null. */
  readonly unsettled: { readonly amount: string } | null
  /** This side's last order if it was refused, or null. */
  readonly refused: RefusedOrder | null
  /** Result of the last order; replaces the quote while no amount is filled in. */
  readonly result?: ReactNode
  readonly onSubmit: (quote: Quote) => void
}

/** One side of the trade panel: amount, quote and submit button. */
export function TradeForm(props: TradeFormProps) {
  const { token, side, text, onText, have, isGuest, slippage, isBusy, result, onSubmit } = props
  const { symbol, pool } = token
  const isBuy = side === 'buy'
  const preview = useMemo(
    () => previewTrade({ side, text, pool: toPool({ pool }), have, slippage: slippageFraction(slippage) }),
    [side, text, pool, have, slippage],
  )
  const { quote } = preview
  const isTold = result !== undefined && text === '' && !isBusy
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
          // Leaves the field, so that all shortcuts work. A sheet or a list row around it closes too.
          onEscape={() => props.input.current?.blur()}
          have={have}
          haveText={haveText(side, symbol, have)}
          hint={quote === null ? '' : formatUsdHint(isBuy ? quote.amount : quote.receive)}
          invalid={preview.refusal === 'short' || preview.refusal === 'large'}
          disabled={isBusy}
        />
        <QuickAmounts key={side} side={side} have={have} text={text} disabled={isBusy} onPick={onText} />
      </div>
      <div className={classes.told} data-result={isTold}>
        <QuoteLines
          side={side}
          symbol={symbol}
          quote={quote}
          slippage={slippage === '' ? SLIPPAGE_DEFAULT : slippage}
        />
        {isTold && result}
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
        isRepeat={quote !== null && quote.amount === props.unsettled?.amount}
        refused={quote !== null && quote.amount === props.refused?.amount ? props.refused : null}
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
