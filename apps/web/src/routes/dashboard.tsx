import { createFileRoute } from '@tanstack/react-router'
import { DashboardScreen } from '../features/portfolio/dashboard-screen.tsx'
import { warmDashboard } from '../features/portfolio/warm-portfolio.ts'

export const Route = createFileRoute('/dashboard')({
  loader: ({ context }) => {
    void warmDashboard(context.cache)
  },
  component: DashboardScreen,
})
