import type { TextInputProps } from '@mantine/core'
import { Decimal } from '@papermoon/amm'
import type { KeyboardEvent } from 'react'
import { type OnAmount, useTypedAmount } from '../../lib/hooks/use-typed-amount.ts'
import { TextField } from './text-field.tsx'

interface AmountFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'description'> {
  readonly description?: string
  /** The amount as plain decimal text, or empty. */
  readonly value: string
  readonly onAmount: OnAmount
  /** Max number of decimals that the unit allows. */
  readonly decimals: number
  /** Amount that an arrow key adds or subtracts, as decimal text. */
  readonly step?: string
}

/**
 * A field for an amount, which is stored as exact text. The field accepts a comma as the decimal mark, and says which
 * letter it removed.
 */
export function AmountField({ value, onAmount, decimals, step, description, ...rest }: AmountFieldProps) {
  const typing = useTypedAmount(value, decimals, onAmount)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (step === undefined || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    const change = event.key === 'ArrowUp' ? new Decimal(step) : new Decimal(step).neg()
    onAmount(Decimal.max(0, new Decimal(value === '' ? 0 : value).add(change)).toFixed(), false)
  }
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      descriptionProps={{ role: 'status' }}
      {...rest}
      error={rest.error || typing.isUnreadable}
      description={typing.hint === '' ? description : `${typing.hint}${description ?? ''}`}
      value={typing.text}
      onChange={(event) => typing.type(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}
