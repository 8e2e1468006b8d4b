import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { PortfolioScreen } from '../features/portfolio/portfolio-screen.tsx'
import { RowSale } from '../features/trading/sale/row-sale.tsx'
import { lazyImport } from '../lib/boot/lazy-import.ts'

const AllWaitingOrders = lazy(() =>
  lazyImport(() => import('../features/trading/waiting/waiting-list.tsx')).then((it) => ({
    default: it.AllWaitingOrders,
  })),
)

export const Route = createFileRoute('/portfolio')({
  loader: async ({ context }) => {
    const { prefetchPortfolio } = await import('../features/portfolio/prefetch-portfolio.ts')
    void prefetchPortfolio(context.cache)
  },
  component: PortfolioRoute,
})

function PortfolioRoute() {
  const orders = (
    <Suspense>
      <AllWaitingOrders />
    </Suspense>
  )
  return <PortfolioScreen renderSale={(sale) => <RowSale {...sale} />} orders={orders} />
}
