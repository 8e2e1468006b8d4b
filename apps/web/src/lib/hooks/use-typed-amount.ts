import { useState } from 'react'
import { type TypedAmount, toTypedAmount, typeAmount } from '../format/clean-amount.ts'

interface TypedField {
  /** What the field shows: its value, or text that was refused. */
  readonly text: string
  /** Whether it shows a text that was refused: its value is empty, but the player meant one. */
  readonly isUnreadable: boolean
  /** Says what was left out of the typed text or why it was refused, or empty. Goes when anything but typing sets the value. */
  readonly hint: string
  /** Called with the field's text after a key or a paste. */
  readonly type: (text: string) => void
}

/** Told the value, and whether that is empty because the text was refused: a form must not take it for left out. */
export type OnAmount = (amount: string, isUnreadable: boolean) => void

/** What a field of amounts needs to know besides its `value`: how that was typed. */
export function useTypedAmount(value: string, decimals: number, onAmount: OnAmount): TypedField {
  const [kept, setKept] = useState(() => toTypedAmount(value))
  const isTyped = kept.value === value
  const before = isTyped ? kept : toTypedAmount(value)
  if (!isTyped) setKept(before)
  const type = (text: string) => {
    const typed = typeAmount(before, text, decimals)
    setKept(typed)
    onAmount(typed.value, typed.refused !== '')
  }
  return { text: before.refused || value, isUnreadable: before.refused !== '', hint: toHint(before), type }
}

function toHint({ refused, leftOut }: TypedAmount): string {
  if (refused !== '') return 'Use only digits and one decimal point. '
  return leftOut === '' ? '' : `Use only digits: “${leftOut}” was left out. `
}
