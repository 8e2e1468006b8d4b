import { useState } from 'react'
import { type TypedAmount, toTypedAmount, typeAmount } from '../format/clean-amount.ts'

interface TypedField {
  /** What the field shows: its value, or text that was refused. */
  readonly text: string
  /** Says what was left out of the typed text or why it was refused, or empty. Goes when anything but typing sets the value. */
  readonly hint: string
  /** Called with the field's text after a key or a paste. */
  readonly type: (text: string) => void
}

/** What a field of amounts needs to know besides its `value`: how that was typed. */
export function useTypedAmount(value: string, decimals: number, onAmount: (amount: string) => void): TypedField {
  const [kept, setKept] = useState(() => toTypedAmount(value))
  const isTyped = kept.value === value
  const before = isTyped ? kept : toTypedAmount(value)
  if (!isTyped) setKept(before)
  const type = (text: string) => {
    const typed = typeAmount(before, text, decimals)
    setKept(typed)
    onAmount(typed.value)
  }
  return { text: before.refused || value, hint: toHint(before), type }
}

function toHint({ refused, leftOut }: TypedAmount): string {
  if (refused !== '') return 'Only digits and one decimal point make an amount. '
  return leftOut === '' ? '' : `Digits only, “${leftOut}” was left out. `
}
