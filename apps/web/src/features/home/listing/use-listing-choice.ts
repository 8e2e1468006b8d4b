import { useRouter, useSearch } from '@tanstack/react-router'
import { startTransition, useEffect, useRef, useState } from 'react'
import { TYPING_MS } from '../../../lib/market/listing.ts'
import { type ListingChoice, parseListingChoice } from './listing-choice.ts'

/**
 * What the visitor searches, how it is sorted, and the tab of a narrow screen. It stands in the address, so that it is
 * there again on the way back; each change replaces the address, so that the way back is one step. `search` is what is
 * typed; `settled` what is asked for, which follows when the typing pauses.
 */
export function useListingChoice() {
  const router = useRouter()
  const [choice, setChoice] = useState<ListingChoice>(useSearch({ from: '/' }))
  const [settled, setSettled] = useState(choice)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(
    () =>
      // Typing goes ahead of the address; any other way of changing the address decides what is typed.
      router.history.subscribe(({ location, action }) => {
        if (action.type === 'REPLACE' || location.pathname !== '/') return
        clearTimeout(timer.current)
        const next = parseListingChoice(router.options.parseSearch(location.search))
        setChoice(next)
        setSettled(next)
      }),
    [router],
  )
  const change = (part: ListingChoice, waitMs = 0) => {
    const next = parseListingChoice({ ...choice, ...part })
    const settle = () => {
      // Another list is drawn when there is time: the next letter goes before.
      startTransition(() => setSettled(next))
      void router.navigate({ to: '/', search: next, replace: true, resetScroll: false })
    }
    setChoice(next)
    clearTimeout(timer.current)
    if (waitMs === 0) settle()
    else timer.current = setTimeout(settle, waitMs)
  }
  return {
    search: choice.q ?? '',
    sort: choice.sort ?? 'newest',
    tab: choice.tab ?? 'all',
    settled: { search: settled.q ?? '', sort: settled.sort ?? 'newest' },
    /** A search is one of all tokens. */
    onSearch: (q: string) => change({ q, tab: 'all' }, q === '' ? 0 : TYPING_MS),
    change,
  } as const
}
