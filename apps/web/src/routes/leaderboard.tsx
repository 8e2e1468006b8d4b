import { createFileRoute } from '@tanstack/react-router'
import { LeaderboardScreen } from '../features/leaderboard/leaderboard-screen.tsx'
import { OVERLAP_MS } from '../lib/live/follow.ts'

export const Route = createFileRoute('/leaderboard')({
  loader: ({ context }) => {
    // What is older is fetched again; the live feed tells of what happened since.
    void context.cache.leaderboard.get.prefetch(undefined, { staleTime: OVERLAP_MS })
  },
  component: LeaderboardScreen,
})
