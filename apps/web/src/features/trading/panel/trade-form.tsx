import { readPool } from '@papermoon/amm'
import { formatTokens, formatUsdHint } from '@papermoon/format'
import { type MouseEvent, type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import type { Token } from '../../../lib/api/api.ts'
import { isSessionOver } from '../../../lib/api/current-user.ts'
import { formatSealEnd, freeAmount, type SealedBag } from '../../../lib/market/own-seal.ts'
import { nameValue, useValueUnit } from '../../../lib/market/value-unit.ts'
import { TradeAmountField } from '../fields/trade-amount-field.tsx'
import {
  formatImpact,
  isAskedAbout,
  isOffered,
  type Preview,
  previewTrade,
  type Quote,
  type Refusal,
  type Side,
} from '../order/preview-trade.ts'
import { formatReceived, QuoteLines } from './quote-lines.tsx'
import { SLIPPAGE_DEFAULT, SlippageField, slippageFraction, storedSlippage, storeSlippage } from './slippage-field.tsx'
import classes from './trade-form.module.css'
import { TradeResult } from './trade-result.tsx'
import { OUTCOME_UNKNOWN, type Trading } from './use-trade.ts'

interface TradeFormProps {
  readonly token: Pick<Token, 'symbol' | 'pool' | 'fairId'>
  readonly side: Side
  readonly input: RefObject<HTMLInputElement | null>
  readonly text: string
  readonly onText: (text: string) => void
  /** Exact amount that the player can pay, or null for guests and while the amount is unknown. */
  readonly have: string | null
  /** Tokens that the player holds, or null for guests and while the amount is unknown. */
  readonly holding?: string | null
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
  const isInFair = token.fairId !== undefined
  const held = isInFair ? props.holding : null
  const preview = useMemo(
    () => previewTrade({ side, text, pool: readPool(pool), have, slippage: slippageFraction(slippage), held }),
    [side, text, pool, have, slippage, held],
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
          isInFair={isInFair}
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
          isInFair={isInFair}
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
        isInFair={isInFair}
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

const WORDS = {
  buy: { now: 'Buy', busy: 'Buying...', ask: 'Buy anyway?', yes: 'Yes, buy' },
  sell: { now: 'Sell', busy: 'Selling...', ask: 'Sell anyway?', yes: 'Yes, sell' },
} as const

interface SubmitAreaProps {
  /** The submit button, or null while the confirmation replaces the button. */
  readonly button: RefObject<HTMLButtonElement | null>
  readonly side: Side
  readonly symbol: string
  readonly preview: Preview
  /** Exact amount that the player has to pay with. Null if unknown. */
  readonly have: string | null
  readonly isBusy: boolean
  readonly isGuest: boolean
  /** Whether the token is in a fair, where large price impacts are usual, so nobody is asked about them. */
  readonly isInFair: boolean
  /** Whether a part of the holding cannot be sold. The amount `have` does not include that part. */
  readonly isSealed: boolean
  /** The failed order with the same amount, or null if there is none. */
  readonly failed: Trading['failed']
  readonly onSubmit: (quote: Quote) => void
}

/**
 * Shows why the button is disabled and what the price impact is. For a price impact of 50 % or more, asks for
 * confirmation.
 */
function SubmitArea(props: SubmitAreaProps) {
  const { button, side, symbol, preview, have, isBusy, isGuest, isInFair, failed, onSubmit } = props
  const unit = useValueUnit()
  const [asked, setAsked] = useState<string | null>(null)
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const noteFocus = useFocusBack(asked !== null, button)
  const { quote, refusal } = preview
  // A changed amount cancels the confirmation.
  if (asked !== null && asked !== quote?.amount) setAsked(null)
  if (confirmed !== null && confirmed !== quote?.amount) setConfirmed(null)
  const isOpen = quote !== null && refusal === null && !isBusy
  const isRetry = failed?.reason === 'SLIPPAGE_EXCEEDED'
  const press = (event: MouseEvent) => {
    if (quote === null) return
    // Ignore the second click of a double click, because it is not a decision to accept the new price.
    if (isRetry && event.detail > 1) return
    const isKnown = isGuest || isInFair || confirmed === quote.amount || isOffered(side, quote.amount, have)
    if (isKnown || !isAskedAbout(quote.impact)) return onSubmit(quote)
    noteFocus()
    setAsked(quote.amount)
  }

  if (isOpen && asked === quote.amount) {
    const answer = (isYes: boolean) => {
      setAsked(null)
      if (!isYes) return
      setConfirmed(quote.amount)
      onSubmit(quote)
    }
    return <Question side={side} quote={quote} onAnswer={answer} />
  }
  return (
    <div>
      <Button ref={button} wide tall className={classes.submit} disabled={!isOpen} onClick={press}>
        <span className="bounded breaks">
          {isOpen && isRetry ? `Try again for ${formatReceived(side, quote.receive, symbol)}` : getLabel(props)}
        </span>
        {isOpen && (
          <span className="text-s semibold">
            This order moves the {nameValue(unit)} by {formatImpact(quote.impact)}
          </span>
        )}
      </Button>
      {failed?.isUnknown === false && <Refused refused={failed} quote={isOpen ? quote : null} symbol={symbol} />}
      {failed?.isUnknown === true && <p className="small mt-s text-center">{OUTCOME_UNKNOWN}</p>}
      {isGuest && (
        <p className="small mt-s text-center">
          {isSessionOver()
            ? 'You were logged out. Press the button to log in. We keep your order until then.'
            : 'Register and get 100 SOL to play with.'}
        </p>
      )}
    </div>
  )
}

interface RefusedProps {
  readonly refused: NonNullable<Trading['failed']>
  /** Current quote for the same amount, or null if the amount cannot be traded. */
  readonly quote: Quote | null
  readonly symbol: string
}

/** Says why the server rejected the last order. A toast has already announced the reason. */
function Refused({ refused, quote, symbol }: RefusedProps) {
  const isMoved = refused.reason === 'SLIPPAGE_EXCEEDED' && quote !== null
  return (
    <p className={`mt-s p-s-m on-sunken text-s breaks ${classes.refused}`}>
      {refused.sentence} Nothing was traded.
      {isMoved &&
        (quote.least === null
          ? ' If you try again, there is no minimum amount.'
          : ` If you try again, you get at least ${formatReceived(quote.side, quote.least, symbol)}.`)}
    </p>
  )
}

/**
 * Returns the focus to the submit button after the confirmation, unless the player moved it elsewhere. The old button
 * was unmounted, so the new one gets the focus.
 */
function useFocusBack(isAsked: boolean, button: RefObject<HTMLButtonElement | null>): () => void {
  const noted = useRef<Element | null>(null)
  useEffect(() => {
    const place = noted.current
    if (isAsked || place === null) return
    noted.current = null
    if (document.activeElement !== document.body) return
    const back = place instanceof HTMLElement && place.isConnected ? place : button.current
    back?.focus({ preventScroll: true })
  }, [isAsked, button])
  return () => {
    noted.current = document.activeElement
  }
}

interface QuestionProps {
  readonly side: Side
  readonly quote: Quote
  readonly onAnswer: (isYes: boolean) => void
}

/**
 * Asks the player to confirm a large price impact. The question takes the focus. Escape means no, even if another
 * element has the focus.
 */
function Question({ side, quote, onAnswer }: QuestionProps) {
  const { ask, yes } = WORDS[side]
  const unit = useValueUnit()
  const box = useRef<HTMLDivElement>(null)
  const answer = useEffectEvent(onAnswer)
  useEffect(() => {
    box.current?.focus()
    const onKeyDown = (event: KeyboardEvent) => {
      const dialog = document.querySelector('[aria-modal="true"]')
      if (event.key !== 'Escape' || (dialog !== null && !dialog.contains(box.current))) return
      event.stopPropagation()
      answer(false)
    }
    // Listen in the capture phase, because the container of the question would otherwise close itself.
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [])
  return (
    // The question replaces the button and has its own buttons further down, so that a double click confirms nothing.
    <div ref={box} className={`stack gap-s p-m round-s ${classes.ask}`} role="alert" tabIndex={-1}>
      <p className="text-s semibold">
        This trade alone moves the {nameValue(unit)} by {formatImpact(quote.impact)}. {ask}
      </p>
      <div className={`grid gap-s cols-2 ${classes.answers}`}>
        <Button look="quiet" onClick={() => onAnswer(false)}>
          No, go back
        </Button>
        <Button onClick={() => onAnswer(true)}>{yes}</Button>
      </div>
    </div>
  )
}

type LabelProps = Pick<SubmitAreaProps, 'side' | 'symbol' | 'preview' | 'isBusy' | 'isSealed'>

function getLabel({ side, symbol, preview: { refusal }, isBusy, isSealed }: LabelProps): string {
  if (isBusy) return WORDS[side].busy
  if (refusal === null) return `${WORDS[side].now} ${symbol}`
  if (isSealed && refusal === 'nothing') return `All your ${symbol} are sealed`
  if (isSealed && refusal === 'short') return 'This is more than you can sell'
  const reasons: Record<Refusal, string> = {
    nothing: side === 'buy' ? 'You have no SOL to buy with' : `You hold no ${symbol} to sell`,
    empty: `Enter an amount to ${side}`,
    zero: 'Enter an amount above 0',
    short: side === 'buy' ? 'You do not have that much SOL' : `You do not hold that many ${symbol}`,
    tiny: 'The amount is too small',
    large: 'The amount is too large',
    closed: 'This token is closed',
  }
  return reasons[refusal]
}
