import { Decimal } from '@papermoon/amm'
import { Segmented, toOptions } from '../../../components/form/segmented.tsx'
import { useTypedAmount } from '../../../lib/hooks/use-typed-amount.ts'
import { readStored, store } from '../../../lib/ui/stored.ts'

const KEY = 'papermoon-slippage'
const SLIPPAGE_DECIMALS = 2
/** Default slippage in percent. */
export const SLIPPAGE_DEFAULT = '2'
const SLIPPAGE_MAX = 50

/** Returns the stored slippage in percent (default: 2). */
export function storedSlippage(): string {
  const stored = readStored(KEY)
  return stored !== null && isSlippage(stored) ? stored : SLIPPAGE_DEFAULT
}

export function storeSlippage(percent: string): void {
  if (isSlippage(percent)) store(KEY, percent)
}

/** Converts a percent text to a fraction. An empty text means the default slippage. */
export function slippageFraction(percent: string): Decimal {
  return new Decimal(isSlippage(percent) ? percent : SLIPPAGE_DEFAULT).div(100)
}

/** Returns whether a text is a percentage with at most 2 decimals and at most 50. */
export function isSlippage(text: string): boolean {
  return /^\d{1,2}(\.\d{0,2})?$/.test(text) && new Decimal(text).lte(SLIPPAGE_MAX)
}

const PRESETS = toOptions({ '0.5': '0.5%', '2': '2%', '5': '5%' })

interface SlippageFieldProps {
  readonly value: string
  readonly onChange: (percent: string) => void
}

export function SlippageField({ value, onChange }: SlippageFieldProps) {
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
            className={`control px-s round-s ink text-right edge on-ground`}
            style={{ width: 64 }}
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
