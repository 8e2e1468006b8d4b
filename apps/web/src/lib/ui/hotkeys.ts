import { useEffect, useRef } from 'react'

const KEY = 'papermoon-letter-keys'

/** Whether the shortcuts of a single letter or sign are on; they are until they are switched off. */
export function areLetterKeysOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

/** Switches the shortcuts of a single letter or sign on or off, for who speaks to the browser or mistypes. */
export function switchLetterKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
  } catch {
    // Storage is blocked: they stay on.
  }
}

/**
 * Runs `act` when `key` is pressed alone. A letter or sign does nothing while the player is typing somewhere, while
 * a dialog is open, or where such shortcuts are switched off; F-keys work always.
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

/** What a letter would lead to is behind it. */
function isDialogOpen(): boolean {
  return document.querySelector('[aria-modal="true"]') !== null
}
