import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type ListingChoice, listingChoiceOf } from './listing-choice.ts'

/**
 * What the visitor searches and how it is sorted. It stands in the address, so that it is there again on the way back;
 * each change replaces the address, so that the way back is one step.
 */
export function useListingChoice() {
  const router = useRouter()
  const [choice, setChoice] = useState<ListingChoice>(useSearch({ from: '/' }))
  useEffect(
    () =>
      // Typing goes ahead of the address; any other way of changing the address decides what is typed.
      router.history.subscribe(({ location, action }) => {
        if (action.type === 'REPLACE' || location.pathname !== '/') return
        setChoice(listingChoiceOf(router.options.parseSearch(location.search)))
      }),
    [router],
  )
  const change = (part: ListingChoice) => {
    const next = listingChoiceOf({ ...choice, ...part })
    setChoice(next)
    void router.navigate({ to: '/', search: next, replace: true, resetScroll: false })
  }
  return { search: choice.q ?? '', sort: choice.sort ?? 'newest', change } as const
}
