import { createFileRoute } from '@tanstack/react-router'
import { HomeScreen } from '../features/home/home-screen.tsx'
import { LISTING } from '../lib/live-cache.ts'

export const Route = createFileRoute('/')({
  loader: ({ context }) => {
    void context.cache.tokens.list.prefetch(LISTING)
  },
  component: HomeScreen,
})
