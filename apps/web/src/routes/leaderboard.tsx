import { createFileRoute } from '@tanstack/react-router'
import { LeaderboardScreen } from '../features/leaderboard/leaderboard-screen.tsx'
import { prefetchLeaderboard } from '../features/leaderboard/prefetch-leaderboard.ts'

export const Route = createFileRoute('/leaderboard')({
  loader: ({ context }) => prefetchLeaderboard(context.cache),
  component: LeaderboardScreen,
})
