import { type KeyboardEvent, type RefObject, useId } from 'react'
import { cleanAmount } from '../../../lib/format/clean-amount.ts'
import classes from './trade-amount-field.module.css'

/** Characters that the field has room for on a phone, beside its unit. */
const LONG = 12

interface TradeAmountFieldProps {
  readonly input: RefObject<HTMLInputElement | null>
  readonly unit: string
  readonly decimals: number
  readonly value: string
  readonly onChange: (value: string) => void
  /** Enter was pressed, once: a key that is held down trades no more than one that is not. */
  readonly onEnter: () => void
  /** Exact amount that the player has; null where it is not known. */
  readonly have: string | null
  readonly haveText: string | null
  readonly hint: string
  readonly invalid: boolean
  readonly disabled: boolean
}

/** Where an amount is typed: digits and one decimal mark, exact; *Max* fills in all that the player has. */
export function TradeAmountField(props: TradeAmountFieldProps) {
  const { input, unit, decimals, value, onChange, onEnter, have, haveText, hint, invalid, disabled } = props
  const id = useId()
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && !event.repeat && !event.nativeEvent.isComposing) onEnter()
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
          value={value}
          onKeyDown={onKeyDown}
          onChange={(event) => onChange(cleanAmount(event.currentTarget.value, value, decimals))}
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
        {hint}
      </p>
    </div>
  )
}
