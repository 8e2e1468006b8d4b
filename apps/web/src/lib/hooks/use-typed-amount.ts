import { useState } from 'react'
import { type TypedAmount, toTypedAmount, typeAmount } from '../format/clean-amount.ts'

interface TypedField {
  /** The text in the field: the value, or a text that was rejected. */
  readonly text: string
  /** Whether the field shows a rejected text. In that case, the value is empty although the player typed something. */
  readonly isUnreadable: boolean
  /**
   * Says what was removed from the text, or why the text was rejected. If the text was accepted unchanged, the hint is
   * empty. The hint disappears when the value changes in any other way than by typing.
   */
  readonly hint: string
  /** Call this function with the field's text after a key press or a paste. */
  readonly type: (text: string) => void
}

/**
 * The field calls this function with the value, and with whether the value is empty because of a rejected text. A form
 * must not treat a rejected text as an empty field.
 */
export type OnAmount = (amount: string, isUnreadable: boolean) => void

/** Stores how the player typed an amount, because `value` alone is not enough for a field. */
export function useTypedAmount(value: string, decimals: number, onAmount: OnAmount): TypedField {
  const [latest, setLatest] = useState(() => toTypedAmount(value))
  const isTyped = latest.value === value
  const before = isTyped ? latest : toTypedAmount(value)
  if (!isTyped) setLatest(before)
  const type = (text: string) => {
    const typed = typeAmount(before, text, decimals)
    setLatest(typed)
    onAmount(typed.value, typed.refused !== '')
  }
  return { text: before.refused || value, isUnreadable: before.refused !== '', hint: toHint(before), type }
}

function toHint({ refused, leftOut }: TypedAmount): string {
  if (refused !== '') return 'Use only digits and one decimal point. '
  return leftOut === '' ? '' : `Use only digits. We removed “${leftOut}”. `
}
