import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import type { Side } from '../fields/side.ts'
import { formatImpact, isAskedAbout } from '../order/impact.ts'
import type { Preview, Quote, Refusal } from '../order/preview-trade.ts'
import classes from './submit-area.module.css'
import { OUTCOME_UNKNOWN } from './use-trade.ts'

const VERBS = { buy: { now: 'Buy', busy: 'Buying...' }, sell: { now: 'Sell', busy: 'Selling...' } } as const

interface SubmitAreaProps {
  /** The submit button; null while the confirmation replaces it. */
  readonly button: RefObject<HTMLButtonElement | null>
  readonly side: Side
  readonly symbol: string
  readonly preview: Preview
  readonly isBusy: boolean
  readonly isGuest: boolean
  /** The same amount was sent before and its outcome is unknown. */
  readonly isRepeat: boolean
  readonly onSubmit: (quote: Quote) => void
}

/** The submit button. Shows why it is disabled, the price impact, and from 50 % impact a confirmation. */
export function SubmitArea({ button, side, symbol, preview, isBusy, isGuest, isRepeat, onSubmit }: SubmitAreaProps) {
  const [asked, setAsked] = useState<string | null>(null)
  const noteFocus = useFocusBack(asked !== null, button)
  const { quote, refusal } = preview
  // A changed amount cancels the confirmation.
  if (asked !== null && asked !== quote?.amount) setAsked(null)
  const isOpen = quote !== null && refusal === null && !isBusy
  const press = () => {
    if (quote === null) return
    if (isGuest || !isAskedAbout(quote.impact)) return onSubmit(quote)
    noteFocus()
    setAsked(quote.amount)
  }

  if (isOpen && asked === quote.amount) {
    const answer = (isYes: boolean) => {
      setAsked(null)
      if (isYes) onSubmit(quote)
    }
    return <Question side={side} quote={quote} onAnswer={answer} />
  }
  return (
    <div>
      <Button ref={button} wide tall className={classes.submit} disabled={!isOpen} onClick={press}>
        <span className={classes.label}>{getLabel(side, symbol, refusal, isBusy)}</span>
        {isOpen && <span className={classes.small}>moves the price {formatImpact(quote.impact)}</span>}
      </Button>
      {isRepeat && !isBusy && <p className={classes.note}>{OUTCOME_UNKNOWN}</p>}
      {isGuest && <p className={classes.note}>An account brings 100 SOL to play with.</p>}
    </div>
  )
}

/**
 * Returns the focus to the submit button after the confirmation, unless the player has moved it elsewhere. The button
 * was unmounted meanwhile, so the new one gets it.
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

/** The confirmation. Focused until it is answered; Escape means no. */
function Question({ side, quote, onAnswer }: QuestionProps) {
  const verb = VERBS[side].now
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onAnswer(false)
  }
  return (
    // It replaces the button and its answers are further down, so that a double click confirms nothing.
    <div ref={box} className={classes.ask} role="alert" tabIndex={-1} onKeyDown={onKeyDown}>
      <p className={classes.question}>
        This trade alone moves the price by {formatImpact(quote.impact)}. {verb} all the same?
      </p>
      <div className={classes.answers}>
        <Button look="quiet" onClick={() => onAnswer(false)}>
          No, go back
        </Button>
        <Button onClick={() => onAnswer(true)}>Yes, {verb.toLowerCase()}</Button>
      </div>
    </div>
  )
}

function getLabel(side: Side, symbol: string, refusal: Refusal | null, isBusy: boolean): string {
  if (isBusy) return VERBS[side].busy
  if (refusal === null) return `${VERBS[side].now} ${symbol}`
  const reasons: Record<Refusal, string> = {
    nothing: side === 'buy' ? 'You have no SOL to buy with' : `You hold no ${symbol} to sell`,
    empty: `Enter an amount to ${side}`,
    zero: 'Enter an amount above 0',
    short: side === 'buy' ? 'You do not have that much SOL' : `You do not hold that many ${symbol}`,
    tiny: 'Too little: nothing would be paid out',
    large: 'The amount is too large',
    closed: 'This token is closed',
  }
  return reasons[refusal]
}
