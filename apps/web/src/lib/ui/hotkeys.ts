import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { readStored, store } from './stored.ts'

const KEY = 'papermoon-letter-keys'

/** Whether single-character shortcuts are enabled; default true. */
export function areLetterKeysOn(): boolean {
  return readStored(KEY) !== 'off'
}

/** Enables or disables single-character shortcuts (WCAG 2.1.4), for speech input and mistyping. */
export function switchLetterKeys(isOn: boolean): void {
  store(KEY, isOn ? null : 'off')
}

/**
 * Calls `act` when `key` is pressed without modifiers. Single-character keys are ignored while typing, while a dialog
 * is open, or when disabled; function keys always work. `field` is a field of digits, where a letter would be nothing
 * else: shortcuts work in it, and in the dialog that it is in. `act` returns false to leave the key to another listener:
 * which one hears it first depends on what was rendered last.
 */
export function useHotkey(key: string, act: () => unknown, field?: RefObject<HTMLElement | null>): void {
  const run = useEffectEvent(act)
  // In the layout phase: a shortcut works as soon as what it leads to is on the screen.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isKey(event, key) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (key.length === 1 && (isHeldBack(event.target, field?.current) || !areLetterKeysOn())) return
      if (run() !== false) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [key, field])
}

/** Whether a key writes `wanted`. A letter of another alphabet counts as the Latin one at its place of the keyboard. */
export function isKey({ key, code, shiftKey }: KeyboardEvent, wanted: string): boolean {
  if (key === wanted) return true
  return !shiftKey && code === `Key${wanted.toUpperCase()}` && /^[^\P{L}\p{Script=Latin}]+$/u.test(key)
}

/** Whether the visitor is typing elsewhere than in `field`, or a dialog without it covers what the key leads to. */
function isHeldBack(target: EventTarget | null, field: HTMLElement | null | undefined): boolean {
  const dialog = findDialog()
  if (dialog !== null && !(field != null && dialog.contains(field))) return true
  return target !== field && isTyping(target)
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}

/** The open modal dialog, or null; it covers whatever a shortcut would lead to. */
export function findDialog(): Element | null {
  return document.querySelector('[aria-modal="true"]')
}
