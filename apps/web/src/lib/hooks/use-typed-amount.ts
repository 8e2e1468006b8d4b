import { useState } from 'react'
import { type TypedAmount, toTypedAmount, typeAmount } from '../format/clean-amount.ts'

/**
 * The field calls this function with the value, and with whether the value is empty because of a rejected text. A form
 * must not treat a rejected text as an empty field.
 */
export type OnAmount = (amount: string, isUnreadable: boolean) => void

/** Stores how the player typed an amount, because `value` alone is not enough for a field. */
export function useTypedAmount(value: string, decimals: number, onAmount: OnAmount) {
  const [latest, setLatest] = useState(() => toTypedAmount(value))
  const isTyped = latest.value === value
  const before = isTyped ? latest : toTypedAmount(value)
  if (!isTyped) setLatest(before)
  const type = (text: string) => {
    const typed = typeAmount(before, text, decimals)
    setLatest(typed)
    onAmount(typed.value, typed.refused !== '')
  }
  return {
    /** The text in the field: the value, or a text that was rejected. */
    text: before.refused || value,
    /** Whether the field shows a rejected text. In that case, the value is empty although the player typed something. */
    isUnreadable: before.refused !== '',
    hint: toHint(before),
    /** Call this function with the field's text after a key press or a paste. */
    type,
  }
}

/** Says what was removed from the text, or why it was rejected. The hint is empty if the text was accepted unchanged. */
function toHint({ refused, leftOut }: TypedAmount): string {
  if (refused !== '') return 'Use only digits and one decimal point. '
  return leftOut === '' ? '' : `Use only digits. We removed “${leftOut}”. `
}
