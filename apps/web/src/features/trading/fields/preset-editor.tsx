import { SOL_DECIMALS } from '@papermoon/amm'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { useTypedAmount } from '../../../lib/hooks/use-typed-amount.ts'
import { addPreset, OWN_MAX, type PresetProblem } from '../order/presets.ts'
import type { Side } from '../order/preview-trade.ts'
import classes from './preset-editor.module.css'

const PERCENT_DECIMALS = 2

interface PresetEditorProps {
  readonly side: Side
  /** Lets the player edit their own amounts: SOL for a purchase, percent for a sale. */
  readonly own: readonly string[]
  readonly onChange: (own: readonly string[]) => void
  readonly onDone: () => void
}

export function PresetEditor({ side, own, onChange, onDone }: PresetEditorProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const remove = (amount: string) => {
    onChange(own.filter((each) => each !== amount))
    field.current?.focus({ preventScroll: true })
  }
  return (
    <section className="stack gap-s mt-s p-s round-s edge-dashed" aria-label="Your own amounts">
      {own.length > 0 && <OwnAmounts own={own} unit={side === 'buy' ? 'SOL' : '%'} onRemove={remove} />}
      <NewAmount side={side} own={own} field={field} onChange={onChange} />
      <div className={`row stretch gap-s ${classes.row}`}>
        <Button look="quiet" disabled={own.length === 0} onClick={() => onChange([])}>
          Reset to the defaults
        </Button>
        <Button look="quiet" onClick={onDone}>
          Done
        </Button>
      </div>
    </section>
  )
}

interface OwnAmountsProps {
  readonly own: readonly string[]
  readonly unit: string
  readonly onRemove: (amount: string) => void
}

function OwnAmounts({ own, unit, onRemove }: OwnAmountsProps) {
  return (
    <ul className="acts">
      {own.map((amount) => (
        <li key={amount}>
          <button
            type="button"
            className={`${classes.remove} pill`}
            aria-label={`Remove ${amount} ${unit}`}
            onClick={() => onRemove(amount)}
          >
            {amount} {unit} <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

interface NewAmountProps extends Pick<PresetEditorProps, 'side' | 'own' | 'onChange'> {
  readonly field: RefObject<HTMLInputElement | null>
}

function NewAmount({ side, own, field, onChange }: NewAmountProps) {
  const id = useId()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<PresetProblem | null>(null)
  const isBuy = side === 'buy'
  const typing = useTypedAmount(text, isBuy ? SOL_DECIMALS : PERCENT_DECIMALS, setText)
  const add = () => {
    const next = addPreset(own, side, text)
    if (typeof next === 'string') return setProblem(next)
    onChange(next)
    setText('')
    setProblem(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  }
  return (
    <>
      <div className={`row stretch gap-s ${classes.row}`}>
        <input
          ref={field}
          className="px-m round-s ink control edge-strong on-ground"
          type="text"
          inputMode="decimal"
          autoComplete="off"
          placeholder={`New amount in ${isBuy ? 'SOL' : '%'}`}
          aria-label={`New amount in ${isBuy ? 'SOL' : 'percent'}`}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-problem`}
          value={typing.text}
          onKeyDown={onKeyDown}
          onChange={({ currentTarget }) => {
            setProblem(null)
            typing.type(currentTarget.value)
          }}
        />
        <Button look="quiet" disabled={text === ''} onClick={add}>
          Add
        </Button>
      </div>
      <p id={`${id}-problem`} className={`${classes.problem} small`} role="status">
        {problem === null ? typing.hint : describeProblem(problem, side)}
      </p>
    </>
  )
}

function describeProblem(problem: PresetProblem, side: Side): string {
  if (problem === 'full') return `You can have at most ${OWN_MAX} custom amounts. Remove an amount first.`
  if (problem === 'known') return 'You already have this amount.'
  return side === 'buy' ? 'Enter an amount above 0.' : 'Enter a percentage above 0, up to 100.'
}
