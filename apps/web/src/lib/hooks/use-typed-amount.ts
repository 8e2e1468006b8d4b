import { useState } from 'react'
import { type TypedAmount, toTypedAmount, typeAmount } from '../format/clean-amount.ts'

interface TypedField {
  /** The text in the field: its value, or rejected text. */
  readonly text: string
  /** Whether the field shows rejected text. Its value is then empty although the player typed something. */
  readonly isUnreadable: boolean
  /**
   * Explains what was removed from the typed text or why it was rejected; otherwise empty. Disappears when anything
   * except typing sets the value.
   */
  readonly hint: string
  /** Call it with the field's text after a key press or a paste. */
  readonly type: (text: string) => void
}

/**
 * Called with the value, and whether it is empty because the text was rejected. A form must not mistake rejected text
 * for an empty field.
 */
export type OnAmount = (amount: string, isUnreadable: boolean) => void

/** Stores how an amount was typed, because an amount field needs that besides its `value`. */
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
