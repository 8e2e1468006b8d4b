import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react'
import type { Token } from '../../../lib/api/api.ts'
import { comparisons, type Listing } from '../../../lib/market/listing.ts'
import { isBeingRead } from './is-being-read.ts'

/** How often it is looked whether whoever read is done, ms. */
const LOOK_MS = 500

interface HeldLaunches {
  readonly tokens: readonly Token[]
  /** How many launches wait. */
  readonly waiting: number
  readonly onShow: () => void
}

/**
 * The newest tokens without those that were launched while somebody reads in the grid: they would move every card. They
 * come when they are asked for (`onShow`), or when nobody reads any more. Another order, and none (`listing` is not
 * there yet), is left as it is: there a launch moves nothing.
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
  // Before anything is drawn: where nobody reads, what is new is there at once.
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

/** How many of the newest tokens are newer than `token`. */
function countBefore(tokens: readonly Token[], token: Token): number {
  const index = tokens.findIndex((other) => comparisons.newest(other, token) >= 0)
  return index === -1 ? tokens.length : index
}
