import { keepPreviousData } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Token, trpc } from '../../../lib/api/api.ts'
import {
  comparisons,
  DAY_FIGURES,
  isLiveSort,
  isLong,
  type Listing,
  PAGING,
  type Sort,
  toListing,
} from '../../../lib/market/listing.ts'
import { refreshLongListings } from '../../../lib/market/market-queries.ts'
import type { Filters } from './listing-choice.ts'

/** Min time between two changes of the order, in ms. Cards that move are hard to press. */
const REORDER_MS = 1_500

/**
 * Returns the listing for a search, sort order and filter, with live values. If trades change the order, this hook
 * sorts the loaded tokens again from time to time, but not while the visitor uses the list (`grid`).
 */
export function useListing({ search, sort, hidesRugged }: Filters, grid: RefObject<HTMLElement | null>) {
  const listing = toListing(search, sort, hidesRugged)
  const query = trpc.tokens.list.useInfiniteQuery(listing, {
    ...PAGING,
    placeholderData: keepPreviousData,
    refetchOnMount: isShort,
    refetchOnReconnect: isShort,
    refetchInterval: (query) => isShort(query) && DAY_FIGURES.refetchInterval,
  })
  const pages = query.data?.pages
  useEffect(() => {
    // After a failure, the listing stays invalidated and still receives live events.
    refreshLongListings().catch(() => {})
  }, [])
  const ids = useStableIds(listing, pages, grid)
  const all = useMemo(() => {
    const loaded = pages?.flatMap((page) => page.tokens) ?? []
    return isLiveSort(sort) ? inOrder(loaded, ids) : loaded
  }, [pages, sort, ids])
  const { tokens, waiting, onShow } = useHeldLaunches(all, query.isPlaceholderData ? undefined : listing, grid)
  return { query, tokens, waiting, onShow }
}

function isShort(query: Parameters<typeof isLong>[0]): boolean {
  return !isLong(query)
}

/** Returns the tokens' ids in the order that was applied last. Returns no ids if trades do not change the order. */
export function useStableIds(
  { search, sort }: Pick<Listing, 'search' | 'sort'>,
  pages: Pages,
  grid: RefObject<HTMLElement | null>,
): readonly number[] {
  const [applied, setApplied] = useState<{ search?: string; sort: Sort; ids: readonly number[] }>({ sort, ids: NONE })
  const latest = useRef(pages)
  useEffect(() => {
    latest.current = pages
  })
  useEffect(() => {
    if (!isLiveSort(sort)) return
    const timer = setInterval(() => {
      if (latest.current === undefined || isBeingRead(grid.current)) return
      const tokens = latest.current.flatMap((page) => page.tokens)
      const ids = tokens.sort(comparisons[sort]).map(({ id }) => id)
      setApplied({ ...(search !== undefined && { search }), sort, ids })
    }, REORDER_MS)
    return () => clearInterval(timer)
  }, [search, sort, grid])
  return applied.sort === sort && applied.search === search ? applied.ids : NONE
}

type Pages = readonly { readonly tokens: readonly Token[] }[] | undefined
const NONE: readonly number[] = []

/** Sorts tokens by `ids`. Tokens that are not in `ids` follow in their own order. */
export function inOrder(tokens: readonly Token[], ids: readonly number[]): Token[] {
  const byId = new Map(tokens.map((token) => [token.id as number, token]))
  const ordered: Token[] = []
  for (const id of ids) {
    const token = byId.get(id)
    if (token !== undefined) ordered.push(token)
    byId.delete(id)
  }
  return [...ordered, ...byId.values()]
}

/** Time between two checks whether the visitor still uses the list, in ms. */
const LOOK_MS = 500

interface HeldLaunches {
  readonly tokens: readonly Token[]
  /** Number of launched tokens that are not shown yet. */
  readonly waiting: number
  readonly onShow: () => void
}

/**
 * Returns the newest tokens, but holds back tokens that are launched while the visitor uses the list, because each of
 * them would move every card. The held-back tokens appear on request (`onShow`) or when the visitor stops using the
 * list. Other sort orders and `undefined` are returned as they are, because launches do not move their cards.
 */
function useHeldLaunches(
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
  // Set the state while rendering, because an effect would cause another render and run all other effects in the same
  // task.
  if (first !== undefined && !isKnown) setShown({ search, newest: first })
  // Run this before the paint. If the visitor does not use the list, new tokens appear at once.
  useLayoutEffect(() => {
    if (waiting > 0 && !isBeingRead(grid.current)) onShow()
  }, [waiting, onShow, grid])
  useEffect(() => {
    if (waiting === 0) return
    const timer = setInterval(() => {
      if (!isBeingRead(grid.current)) onShow()
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [waiting, onShow, grid])
  return { tokens: waiting === 0 ? tokens : tokens.slice(waiting), waiting, onShow }
}

/** Returns the number of tokens newer than `token`. */
function countBefore(tokens: readonly Token[], token: Token): number {
  const index = tokens.findIndex((other) => comparisons.newest(other, token) >= 0)
  return index === -1 ? tokens.length : index
}

/** Returns whether the visitor hovers over the list, has focus in it, or has scrolled into it. */
function isBeingRead(list: HTMLElement | null): boolean {
  if (list === null) return false
  return list.matches(':hover') || list.contains(document.activeElement) || list.getBoundingClientRect().top < 0
}
