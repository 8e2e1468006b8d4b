import { createFileRoute } from '@tanstack/react-router'
import { DashboardScreen } from '../features/portfolio/dashboard-screen.tsx'
import { prefetchDashboard } from '../features/portfolio/prefetch-portfolio.ts'
import { QuestCard } from '../features/quests/quest-card.tsx'
import { RowSale } from '../features/trading/sale/row-sale.tsx'

export const Route = createFileRoute('/dashboard')({
  loader: ({ context }) => {
    void prefetchDashboard(context.cache)
  },
  component: DashboardRoute,
})

function DashboardRoute() {
  return <DashboardScreen quests={<QuestCard />} renderSale={(sale) => <RowSale {...sale} />} />
}
