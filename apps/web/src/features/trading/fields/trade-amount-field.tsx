import { type KeyboardEvent, type RefObject, useId } from 'react'
import { useTypedAmount } from '../../../lib/hooks/use-typed-amount.ts'
import { formatExact } from '../../../lib/market/kept-intent.ts'
import classes from './trade-amount-field.module.css'

/** Characters that fit on a phone beside the unit. */
const LONG = 12

interface TradeAmountFieldProps {
  readonly input: RefObject<HTMLInputElement | null>
  readonly unit: string
  readonly decimals: number
  readonly value: string
  readonly onChange: (value: string) => void
  /** Called once per press of Enter; key repeats are ignored. */
  readonly onEnter: () => void
  readonly onEscape: () => void
  /** Exact amount the player has; null if unknown. */
  readonly have: string | null
  readonly haveText: string | null
  readonly hint: string
  readonly invalid: boolean
  readonly disabled: boolean
}

/** The amount field of a trade; "Max" fills in everything the player has. */
export function TradeAmountField(props: TradeAmountFieldProps) {
  const { input, unit, decimals, value, onChange, onEnter, onEscape, have, haveText, hint, disabled } = props
  const id = useId()
  const typing = useTypedAmount(value, decimals, onChange)
  const invalid = props.invalid || typing.text !== value
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && !event.repeat && !event.nativeEvent.isComposing) onEnter()
    else if (event.key === 'Escape') onEscape()
  }
  return (
    <div>
      <div className={classes.head}>
        <label className={classes.label} htmlFor={id}>
          Amount <span className="visually-hidden">in {unit}</span>
        </label>
        {haveText !== null && (
          <span className={classes.have} title={have ?? undefined}>
            {haveText}
          </span>
        )}
      </div>
      <div className={classes.field} data-invalid={invalid}>
        <input
          ref={input}
          id={id}
          className={classes.input}
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
        <span className={classes.unit} aria-hidden="true">
          {unit}
        </span>
        <button
          type="button"
          className={classes.max}
          disabled={disabled || have === null || have === '0'}
          onClick={() => have !== null && onChange(have)}
        >
          Max
        </button>
      </div>
      <p id={`${id}-hint`} className={classes.hint}>
        {typing.hint}
        {value !== '' && `${formatExact(value)} ${unit} `}
        {hint}
      </p>
    </div>
  )
}
