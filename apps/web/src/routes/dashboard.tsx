import { createFileRoute } from '@tanstack/react-router'
import { DashboardScreen } from '../features/portfolio/dashboard-screen.tsx'
import { QuestCard } from '../features/quests/quest-card.tsx'
import { RowSale } from '../features/trading/sale/row-sale.tsx'

export const Route = createFileRoute('/dashboard')({
  loader: async ({ context }) => {
    const { prefetchDashboard } = await import('../features/portfolio/prefetch-portfolio.ts')
    void prefetchDashboard(context.cache)
  },
  component: DashboardRoute,
})

function DashboardRoute() {
  return <DashboardScreen quests={<QuestCard />} renderSale={(sale) => <RowSale {...sale} />} />
}
