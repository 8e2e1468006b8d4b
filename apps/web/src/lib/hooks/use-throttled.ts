import { useEffect, useRef, useState } from 'react'

/** `value`, but new at most once in `intervalMs`; 0 passes every change on at once. */
export function useThrottled<T>(value: T, intervalMs: number): T {
  const [settled, setSettled] = useState(value)
  const settledAt = useRef(0)
  useEffect(() => {
    if (intervalMs === 0) return
    const wait = Math.max(0, settledAt.current + intervalMs - performance.now())
    const timer = setTimeout(() => {
      settledAt.current = performance.now()
      setSettled(value)
    }, wait)
    return () => clearTimeout(timer)
  }, [value, intervalMs])
  return intervalMs === 0 ? value : settled
}
