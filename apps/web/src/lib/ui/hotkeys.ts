import { useEffect, useRef } from 'react'

const KEY = 'papermoon-letter-keys'

/** Whether single-character shortcuts are enabled; default true. */
export function areLetterKeysOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

/** Enables or disables single-character shortcuts (WCAG 2.1.4), for speech input and mistyping. */
export function switchLetterKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
  } catch {
    // Storage is blocked: leave them enabled.
  }
}

/**
 * Calls `act` when `key` is pressed without modifiers. Single-character keys are ignored while typing, while a dialog
 * is open, or when disabled; function keys always work.
 */
export function useHotkey(key: string, act: () => void): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (key.length === 1 && (isTyping(event.target) || isDialogOpen() || !areLetterKeysOn())) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [key])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}

/** An open dialog covers whatever a shortcut would lead to. */
function isDialogOpen(): boolean {
  return document.querySelector('[aria-modal="true"]') !== null
}
