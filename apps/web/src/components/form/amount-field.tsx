import type { TextInputProps } from '@mantine/core'
import { Decimal } from '@papermoon/amm'
import type { KeyboardEvent } from 'react'
import { cleanAmount } from '../../lib/format/clean-amount.ts'
import { TextField } from './text-field.tsx'

interface AmountFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** Plain decimal text, or empty. */
  readonly value: string
  readonly onAmount: (amount: string) => void
  /** Decimals of the unit. */
  readonly decimals: number
  /** What the arrow keys add and take away, as decimal text. */
  readonly step?: string
}

/** A field for an amount: keeps it exact as text, takes a comma as decimal mark, lets no letter in. */
export function AmountField({ value, onAmount, decimals, step, ...rest }: AmountFieldProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (step === undefined || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    const change = event.key === 'ArrowUp' ? new Decimal(step) : new Decimal(step).neg()
    onAmount(Decimal.max(0, new Decimal(value === '' ? 0 : value).add(change)).toFixed())
  }
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      value={value}
      onChange={(event) => onAmount(cleanAmount(event.currentTarget.value, value, decimals))}
      onKeyDown={onKeyDown}
    />
  )
}
