import { Segmented } from '../../../components/form/segmented.tsx'
import { cleanSlippage, SLIPPAGE_DEFAULT } from '../order/slippage.ts'
import classes from './slippage-field.module.css'

const PRESETS = [
  { value: '0.5', label: '0.5%' },
  { value: '2', label: '2%' },
  { value: '5', label: '5%' },
]

interface SlippageFieldProps {
  /** Percent. */
  readonly value: string
  readonly onChange: (percent: string) => void
}

/** The slippage limit: a trade at a worse price is refused. */
export function SlippageField({ value, onChange }: SlippageFieldProps) {
  return (
    <details className={classes.details}>
      <summary className={classes.summary}>Slippage: {value === '' ? SLIPPAGE_DEFAULT : value}%</summary>
      <div className={classes.body}>
        <Segmented
          label="Slippage presets"
          options={PRESETS}
          value={PRESETS.find((preset) => preset.value === value)?.value ?? null}
          onChange={onChange}
        />
        <label className={classes.field}>
          <span className="visually-hidden">Slippage in percent</span>
          <input
            className={classes.input}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            value={value}
            onChange={(event) => onChange(cleanSlippage(event.currentTarget.value, value))}
            onBlur={() => value === '' && onChange(SLIPPAGE_DEFAULT)}
          />
          <span aria-hidden="true">%</span>
        </label>
      </div>
      <p className={classes.note}>If others trade first and you would get less than this allows, nothing is traded.</p>
    </details>
  )
}
