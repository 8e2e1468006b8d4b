import { useRouter, useSearch } from '@tanstack/react-router'
import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { SEARCH_MAX, type Sort, TYPING_MS } from '../../../lib/market/listing.ts'
import { TABS, type Tab } from '../grid/columns.ts'

/**
 * Matches control and format characters, except joiners and marks. Pasted text often contains such characters, but no
 * name does.
 */
const INVISIBLE = /(?![\u061c\u200c-\u200f\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}]/gu

/** The listing's search, sort order and tab, as stored in the URL. The URL does not contain default values. */
export interface ListingChoice {
  readonly q?: string | undefined
  readonly sort?: Sort | undefined
  readonly tab?: Tab | undefined
  /** Whether rugged tokens are hidden. */
  readonly rugged?: 'hide' | undefined
  /** Whether only the watchlist is shown. */
  readonly starred?: true | undefined
}

/**
 * Parses untrusted search parameters. Always returns every key, because a missing key would keep its raw value from the
 * URL.
 */
export function parseListingChoice({ q, sort, tab, rugged, starred }: Record<string, unknown>): ListingChoice {
  const text =
    typeof q === 'string' || typeof q === 'number' ? String(q).replace(INVISIBLE, '').slice(0, SEARCH_MAX) : ''
  const known = SORTS.find(({ value }) => value === sort)?.value ?? 'newest'
  const shown = TABS.find(({ value }) => value === tab)?.value ?? 'all'
  return {
    q: text === '' ? undefined : text,
    sort: known === 'newest' ? undefined : known,
    tab: shown === 'all' ? undefined : shown,
    rugged: rugged === 'hide' ? rugged : undefined,
    starred: starred === true ? starred : undefined,
  }
}

export interface Filters {
  readonly search: string
  readonly sort: Sort
  readonly hidesRugged: boolean
}

export const SORTS: readonly { readonly value: Sort; readonly label: string }[] = [
  { value: 'newest', label: 'Newest First' },
  { value: 'oldest', label: 'Oldest First' },
  { value: 'mcap-high', label: 'Market Cap (High)' },
  { value: 'mcap-low', label: 'Market Cap (Low)' },
  { value: 'last-trade', label: 'Last Trade' },
]

/** Returns the visitor's search, sort order and tab. The URL stores them, so they survive navigation. */
export function useListingChoice() {
  const router = useRouter()
  const [choice, setChoice] = useState<ListingChoice>(useSearch({ from: '/' }))
  const [applied, setApplied] = useState(choice)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(
    () =>
      // Typing in the field changes the URL after a pause. Any other navigation changes the field to match the URL.
      router.history.subscribe(({ location, action }) => {
        if (action.type === 'REPLACE' || location.pathname !== '/') return
        clearTimeout(timer.current)
        const next = parseListingChoice(router.options.parseSearch(location.search))
        setChoice(next)
        setApplied(next)
      }),
    [router],
  )
  const change = (part: ListingChoice, waitMs = 0) => {
    const next = parseListingChoice({ ...choice, ...part })
    const settle = () => {
      // Use a transition, because typing has priority over rendering the new list.
      startTransition(() => setApplied(next))
      void router.navigate({ to: '/', search: next, replace: true, resetScroll: false })
    }
    setChoice(next)
    clearTimeout(timer.current)
    if (waitMs === 0) settle()
    else timer.current = setTimeout(settle, waitMs)
  }
  const latestChange = useRef(change)
  useEffect(() => {
    latestChange.current = change
  })
  const onChange = useCallback((part: ListingChoice) => latestChange.current(part), [])
  return {
    search: choice.q ?? '',
    sort: choice.sort ?? 'newest',
    tab: choice.tab ?? 'all',
    hidesRugged: choice.rugged === 'hide',
    isStarred: choice.starred === true,
    applied: {
      search: applied.q ?? '',
      sort: applied.sort ?? 'newest',
      hidesRugged: applied.rugged === 'hide',
      isStarred: applied.starred === true,
    },
    /** Show the grid instead of a column, because a search looks through all tokens. */
    onSearch: (q: string) => change({ q, tab: 'all' }, q === '' ? 0 : TYPING_MS),
    change,
    /** Return the same function each time, because memoized lists compare it. */
    onChange,
  } as const
}
