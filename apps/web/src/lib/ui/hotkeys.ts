import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { readStored, store } from './stored.ts'

const KEY = 'papermoon-letter-keys'

/** Returns whether single-character shortcuts are enabled; the default is true. */
export function areLetterKeysOn(): boolean {
  return readStored(KEY) !== 'off'
}

/**
 * Enables or disables single-character shortcuts (WCAG 2.1.4), because speech input and typing mistakes can trigger
 * them.
 */
export function switchLetterKeys(isOn: boolean): void {
  store(KEY, isOn ? null : 'off')
}

/**
 * Calls `act` when `key` is pressed without modifiers. Single-character keys are ignored while the visitor types, while
 * a dialog is open, or when they are disabled; function keys always work. `field` is a number field, in which letters
 * have no other use, so shortcuts work in it and in its dialog. `act` returns false to pass the key on to another
 * listener. The listener order depends on what was rendered last.
 */
export function useHotkey(key: string, act: () => unknown, field?: RefObject<HTMLElement | null>): void {
  const run = useEffectEvent(act)
  // The listener starts in the layout phase, so a shortcut works as soon as its target is on the screen.
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

/**
 * Returns whether a key produces `wanted`. A letter from another alphabet counts as the Latin letter on the same key.
 */
export function isKey({ key, code, shiftKey }: KeyboardEvent, wanted: string): boolean {
  if (key === wanted) return true
  return !shiftKey && code === `Key${wanted.toUpperCase()}` && /^[^\P{L}\p{Script=Latin}]+$/u.test(key)
}

/**
 * Returns whether the visitor is typing outside `field`, or a dialog without the field covers the shortcut's target.
 */
function isHeldBack(target: EventTarget | null, field: HTMLElement | null | undefined): boolean {
  const dialog = findDialog()
  if (dialog !== null && !(field != null && dialog.contains(field))) return true
  return target !== field && isTyping(target)
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}

/** Returns the open modal dialog, or null. A dialog covers the target of any shortcut. */
export function findDialog(): Element | null {
  return document.querySelector('[aria-modal="true"]')
}
