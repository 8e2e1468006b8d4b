import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'

/** Number of entries of a long list that are shown at first, and that each press on "more" adds. */
const PORTION = 50

/**
 * Returns the first entries of a long list, and a button that shows more. The second value is null if all entries are
 * shown.
 */
export function usePortion<T>(items: readonly T[]): { shown: readonly T[]; more: ReactNode } {
  const [limit, setLimit] = useState(PORTION)
  const left = items.length - limit
  return {
    shown: items.slice(0, limit),
    more:
      left > 0 ? (
        <div className="boxed mt-l">
          <Button look="quiet" onClick={() => setLimit((before) => before + PORTION)}>
            Show {Math.min(left, PORTION)} more of {left}
          </Button>
        </div>
      ) : null,
  }
}
