import { useState } from 'react'

/** The value that `value` had before it last changed; itself until then. */
export function usePrevious<T>(value: T): T {
  const [seen, setSeen] = useState({ value, previous: value })
  if (seen.value !== value) setSeen({ value, previous: seen.value })
  return seen.value === value ? seen.previous : seen.value
}
