import { useState } from 'react'

/** Returns the previous value, or `value` itself before the first change. */
export function usePrevious<T>(value: T): T {
  const [seen, setSeen] = useState({ value, previous: value })
  if (seen.value !== value) setSeen({ value, previous: seen.value })
  return seen.value === value ? seen.previous : seen.value
}
