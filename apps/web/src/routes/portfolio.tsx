import { DashboardScreen } from '../features/portfolio/dashboard-screen.tsx'
import { PortfolioScreen } from '../features/portfolio/portfolio-screen.tsx'
import { QuestCard } from '../features/quests/quest-card.tsx'
import { RowSale } from '../features/trading/sale/row-sale.tsx'
import { lazyPart } from '../lib/boot/lazy-import.ts'

const OwnFairs = lazyPart(() => import('../features/fairs/fair-rows.tsx'), 'OwnFairs')
const AllWaitingOrders = lazyPart(() => import('../features/trading/waiting/waiting-list.tsx'), 'AllWaitingOrders')

export function DashboardRoute() {
  return <DashboardScreen quests={<QuestCard />} renderSale={(sale) => <RowSale {...sale} />} />
}

export function PortfolioRoute() {
  const orders = (
    <>
      <AllWaitingOrders />
      <OwnFairs />
    </>
  )
  return <PortfolioScreen renderSale={(sale) => <RowSale {...sale} />} orders={orders} />
}
