import { createFileRoute } from '@tanstack/react-router'
import { HomeScreen } from '../features/home/home-screen.tsx'
import { listingChoiceOf } from '../features/home/listing-choice.ts'
import { LISTING } from '../lib/live-cache.ts'

export const Route = createFileRoute('/')({
  validateSearch: listingChoiceOf,
  loader: ({ context }) => {
    void context.cache.tokens.list.prefetch(LISTING)
  },
  component: HomeScreen,
})
