import { SOL_DECIMALS, TOKEN_DECIMALS } from '@papermoon/amm'
import { formatSol, formatTokens } from '@papermoon/format'
import { type KeyboardEvent, type RefObject, useId } from 'react'
import { useTypedAmount } from '../../../lib/hooks/use-typed-amount.ts'
import { formatExact } from '../../../lib/market/stored-intent.ts'
import type { Side } from '../order/preview-trade.ts'
import { QuickAmounts } from './quick-amounts.tsx'
import classes from './trade-amount-field.module.css'

/** Max number of characters that fit beside the unit on a phone. */
const LONG = 12
const BALANCE_SHOWN = 2

interface TradeAmountFieldProps {
  readonly input: RefObject<HTMLInputElement | null>
  /** The button that Enter presses, unless the button is disabled. */
  readonly button: RefObject<HTMLButtonElement | null>
  readonly side: Side
  readonly symbol: string
  /** Whether the token is in a fair. */
  readonly isInFair: boolean
  readonly value: string
  readonly onChange: (value: string) => void
  /** Exact balance (for a purchase) or holding (for a sale) of the player. Null if unknown. */
  readonly held: string | null
  /** The part of the balance or holding that the player can pay. */
  readonly have: string | null
  readonly hint?: string
  readonly invalid?: boolean
  readonly disabled: boolean
}

/** A field for the amount of a trade. The player types it, takes everything ("Max"), or chooses a preset. */
export function TradeAmountField(props: TradeAmountFieldProps) {
  const { input, button, side, symbol, isInFair, value, onChange, held, have, hint, disabled } = props
  const id = useId()
  const [unit, decimals] = side === 'buy' ? ['SOL', SOL_DECIMALS] : [symbol, TOKEN_DECIMALS]
  const typing = useTypedAmount(value, decimals, onChange)
  const invalid = props.invalid === true || typing.text !== value
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Ignore key repeats, because they would place a second order.
    if (event.key === 'Enter' && !event.repeat && !event.nativeEvent.isComposing) {
      event.preventDefault()
      button.current?.click()
    } else if (event.key === 'Escape') {
      // Remove the focus from the field, so that all shortcuts work. The sheet or list row around the field closes,
      // too.
      input.current?.blur()
    }
  }
  return (
    <div>
      <div className="row baseline gap-m between text-s">
        <label className="fixed bold" htmlFor={id}>
          Amount <span className="visually-hidden">in {unit}</span>
        </label>
        {held !== null && (
          <span className="cut dim" title={have ?? undefined}>
            {side === 'buy'
              ? `Balance: ${formatSol(held, BALANCE_SHOWN)} SOL`
              : `You hold ${formatTokens(held)} ${symbol}`}
          </span>
        )}
      </div>
      <div className={`row gap-s mt-s px-s round-s edge hover-edge on-ground ${classes.field}`} data-invalid={invalid}>
        <input
          ref={input}
          id={id}
          className={`grow ink text-xl bold no-outline ${classes.input}`}
          data-long={value.length > LONG}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          placeholder="0.0"
          aria-describedby={`${id}-hint`}
          aria-invalid={invalid}
          readOnly={disabled}
          value={typing.text}
          onKeyDown={onKeyDown}
          onChange={(event) => typing.type(event.currentTarget.value)}
        />
        <span className={`dim bold cut ${classes.unit}`} aria-hidden="true">
          {unit}
        </span>
        <button
          type="button"
          className={`touch px-s round-s accent text-s bold hover-sunken ${classes.max}`}
          disabled={disabled || have === null || have === '0'}
          onClick={() => have !== null && onChange(have)}
        >
          Max
        </button>
      </div>
      <p id={`${id}-hint`} className="small mt-xs one-line">
        {typing.hint}
        {value !== '' && `${formatExact(value)} ${unit} `}
        {hint}
      </p>
      <QuickAmounts
        key={side}
        side={side}
        isInFair={isInFair}
        have={have}
        text={value}
        disabled={disabled}
        onPick={onChange}
      />
    </div>
  )
}
