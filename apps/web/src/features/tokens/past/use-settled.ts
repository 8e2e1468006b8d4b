import { useEffect, useRef, useState } from 'react'

/** A change so soon after the last one waits for the end of all of them, ms. */
const QUIET_MS = 150

/** `value`, at once after a single change, and after a flood of changes when it rests. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  const changedMs = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const nowMs = performance.now()
    const waitMs = nowMs - changedMs.current < QUIET_MS ? QUIET_MS : 0
    changedMs.current = nowMs
    const timer = setTimeout(() => setSettled(value), waitMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
