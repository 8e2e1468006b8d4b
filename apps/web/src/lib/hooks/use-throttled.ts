import { useEffect, useRef, useState } from 'react'

/** Returns `value`, updated at most once per `intervalMs`. 0 means without delay. */
export function useThrottled<T>(value: T, intervalMs: number): T {
  const [throttled, setThrottled] = useState(value)
  const updatedAt = useRef(0)
  useEffect(() => {
    if (intervalMs === 0) return
    const wait = Math.max(0, updatedAt.current + intervalMs - performance.now())
    const timer = setTimeout(() => {
      updatedAt.current = performance.now()
      setThrottled(value)
    }, wait)
    return () => clearTimeout(timer)
  }, [value, intervalMs])
  return intervalMs === 0 ? value : throttled
}
