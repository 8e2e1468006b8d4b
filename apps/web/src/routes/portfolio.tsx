import { createFileRoute } from '@tanstack/react-router'
import { PortfolioScreen } from '../features/portfolio/portfolio-screen.tsx'
import { RowSale } from '../features/trading/sale/row-sale.tsx'

export const Route = createFileRoute('/portfolio')({
  loader: async ({ context }) => {
    const { prefetchPortfolio } = await import('../features/portfolio/prefetch-portfolio.ts')
    void prefetchPortfolio(context.cache)
  },
  component: PortfolioRoute,
})

function PortfolioRoute() {
  return <PortfolioScreen renderSale={(sale) => <RowSale {...sale} />} />
}
