import { type RefObject, useEffect, useRef } from 'react'
import { mayMove } from '../ui/motion.ts'

/** Min time between two flashes, in ms. WCAG 2.3.1 allows three flashes per second. */
const FLASH_EVERY_MS = 500
const FLASH_MS = 700

/** Highlights an element for a moment when `value` changes, unless the player disabled that motion. */
export function useFlash(element: RefObject<HTMLElement | null>, value: string, direction: 'up' | 'down'): void {
  const last = useRef({ value, at: 0 })
  useEffect(() => {
    if (last.current.value === value) return
    const now = performance.now()
    const tooSoon = now - last.current.at < FLASH_EVERY_MS
    last.current = { value, at: tooSoon ? last.current.at : now }
    if (tooSoon || !mayMove('flash')) return
    element.current?.animate([{ backgroundColor: `var(--pm-${direction}-soft)` }, { backgroundColor: 'transparent' }], {
      duration: FLASH_MS,
      easing: 'ease-out',
    })
  }, [element, value, direction])
}
