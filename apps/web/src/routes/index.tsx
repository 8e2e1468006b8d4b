import { createFileRoute } from '@tanstack/react-router'
import { HomeScreen } from '../features/home/home-screen.tsx'
import { parseListingChoice } from '../features/home/listing/listing-choice.ts'
import { prefetchHome } from '../features/home/prefetch-home.ts'

export const Route = createFileRoute('/')({
  validateSearch: parseListingChoice,
  loaderDeps: ({ search: { q, sort } }) => ({ q, sort }),
  loader: ({ context, deps }) => prefetchHome(context.cache, deps),
  component: HomeScreen,
})
