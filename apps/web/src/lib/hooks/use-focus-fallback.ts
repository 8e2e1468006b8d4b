import { type RefObject, useEffect, useRef } from 'react'

/** Focuses `target` if the focused element, such as the pressed button, disappears when `state` changes. */
export function useFocusFallback(target: RefObject<HTMLElement | null>, state: unknown): void {
  const before = useRef(state)
  useEffect(() => {
    if (before.current === state) return
    before.current = state
    if (document.activeElement === document.body) target.current?.focus({ preventScroll: true })
  }, [target, state])
}
