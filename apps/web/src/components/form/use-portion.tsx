import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import classes from './use-portion.module.css'

/** Lines drawn at first, and more each time they are asked for: a list may be 1,000 long. */
const PORTION = 50

/** The first lines of a long list, and the button that brings more; null when all are there. */
export function usePortion<T>(items: readonly T[]): { shown: readonly T[]; more: ReactNode } {
  const [limit, setLimit] = useState(PORTION)
  const left = items.length - limit
  return {
    shown: items.slice(0, limit),
    more:
      left > 0 ? (
        <div className={classes.more}>
          <Button look="quiet" onClick={() => setLimit((before) => before + PORTION)}>
            Show {Math.min(left, PORTION)} more of {left}
          </Button>
        </div>
      ) : null,
  }
}
