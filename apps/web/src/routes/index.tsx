import { createFileRoute } from '@tanstack/react-router'
import { HomeScreen } from '../features/home/home-screen.tsx'
import { listingChoiceOf } from '../features/home/listing/listing-choice.ts'
import { listingOf } from '../lib/market/listing.ts'

export const Route = createFileRoute('/')({
  validateSearch: listingChoiceOf,
  loaderDeps: ({ search: { q, sort } }) => ({ q, sort }),
  loader: ({ context, deps: { q = '', sort = 'newest' } }) => {
    const { list } = context.cache.tokens
    const listing = listingOf(q, sort)
    // What is there stays, with all its pages: the screen fetches it again where it is old.
    if (list.getInfiniteData(listing) === undefined) void list.prefetchInfinite(listing)
  },
  component: HomeScreen,
})
