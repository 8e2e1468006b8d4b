import { useEffect, useRef, useState } from 'react'

/** Returns `value`, updated at most once per `intervalMs`; 0 means without delay. */
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
