import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react'
import type { Token } from '../../../lib/api/api.ts'
import { comparisons, type Listing } from '../../../lib/market/listing.ts'
import { isBeingRead } from './is-being-read.ts'

/** Interval of checking whether the visitor still uses the list, ms. */
const LOOK_MS = 500

interface HeldLaunches {
  readonly tokens: readonly Token[]
  /** Number of launches held back. */
  readonly waiting: number
  readonly onShow: () => void
}

/**
 * The newest tokens without those launched while the visitor uses the list, because each would move every card. They
 * are shown on request (`onShow`) or when the visitor is done. Other sort orders, and `undefined` while loading, pass
 * unchanged: launches do not move cards there.
 */
export function useHeldLaunches(
  tokens: readonly Token[],
  listing: Listing | undefined,
  grid: RefObject<HTMLElement | null>,
): HeldLaunches {
  const [shown, setShown] = useState<{ search: string | undefined; newest: Token } | null>(null)
  const first = listing?.sort === 'newest' ? tokens[0] : undefined
  const search = listing?.search
  const isKnown = first !== undefined && shown !== null && shown.search === search
  const waiting = isKnown ? countBefore(tokens, shown.newest) : 0
  const onShow = useCallback(() => {
    if (first !== undefined) setShown({ search, newest: first })
  }, [first, search])
  const isNew = first !== undefined && !isKnown
  // Before paint, so that new tokens show at once while nobody uses the list.
  useLayoutEffect(() => {
    if (isNew || (waiting > 0 && !isBeingRead(grid.current))) onShow()
  }, [isNew, waiting, onShow, grid])
  useEffect(() => {
    if (waiting === 0) return
    const timer = setInterval(() => {
      if (!isBeingRead(grid.current)) onShow()
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [waiting, onShow, grid])
  return { tokens: waiting === 0 ? tokens : tokens.slice(waiting), waiting, onShow }
}

/** Number of tokens newer than `token`. */
function countBefore(tokens: readonly Token[], token: Token): number {
  const index = tokens.findIndex((other) => comparisons.newest(other, token) >= 0)
  return index === -1 ? tokens.length : index
}
