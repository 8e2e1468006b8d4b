import { useState } from 'react'
import { toTypedAmount, typeAmount } from '../format/clean-amount.ts'

interface TypedField {
  /** Says what was left out of the typed text, or empty. Goes when the value is set by anything but typing. */
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
  return { hint: before.leftOut === '' ? '' : `Digits only, “${before.leftOut}” was left out. `, type }
}
