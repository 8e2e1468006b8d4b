import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { readSetting, saveSetting, useStored } from './stored.ts'

const KEY = 'papermoon-letter-keys'

/** Returns whether single-character shortcuts are on (default: yes). */
export function areSingleKeysOn(): boolean {
  return readSetting(KEY) !== 'off'
}

/** Returns the same as `areSingleKeysOn`, and renders the component again when the setting changes. */
export function useSingleKeys(): boolean {
  return useStored(KEY) !== 'off'
}

/**
 * Turns single-character shortcuts on or off (WCAG 2.1.4). Players can turn them off, because speech input and typing
 * mistakes could trigger them.
 */
export function switchSingleKeys(isOn: boolean): void {
  saveSetting(KEY, isOn ? null : 'off')
}

/**
 * Calls `act` when the player presses `key` without modifiers. Single-character shortcuts do nothing while the visitor
 * types, while a dialog is open, or when they are off. Function keys always work. In the number field `field` and its
 * dialog, letters have no other use, so shortcuts work there. `act` returns false to pass the key on to another
 * listener. Shortcuts have priorities, because the order of listeners depends on what was rendered last.
 */
export function useHotkey(key: string, act: () => unknown, field?: RefObject<HTMLElement | null>): void {
  const run = useEffectEvent(act)
  // Add the listener in the layout phase, so that a shortcut works as soon as its target is on the screen.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isKey(event, key) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (key.length === 1 && (isHeldBack(event.target, field?.current) || !areSingleKeysOn())) return
      if (run() !== false) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [key, field])
}

/** Returns whether a key means `wanted`. A letter of another alphabet counts as the Latin letter on the same key. */
export function isKey({ key, code, shiftKey }: KeyboardEvent, wanted: string): boolean {
  if (key === wanted) return true
  return !shiftKey && code === `Key${wanted.toUpperCase()}` && /^[^\P{L}\p{Script=Latin}]+$/u.test(key)
}

/**
 * Returns whether a shortcut must not work: the visitor types outside `field`, or a dialog without the field covers the
 * shortcut's target.
 */
function isHeldBack(target: EventTarget | null, field: HTMLElement | null | undefined): boolean {
  const dialog = findDialog()
  if (dialog !== null && !(field != null && dialog.contains(field))) return true
  return target !== field && isTyping(target)
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}

/** Returns the open dialog, or null. Shortcuts do not work for targets that are below a dialog. */
export function findDialog(): Element | null {
  return document.querySelector('[aria-modal="true"]')
}
