import { createFileRoute } from '@tanstack/react-router'
import { PortfolioScreen } from '../features/portfolio/portfolio-screen.tsx'
import { prefetchPortfolio } from '../features/portfolio/prefetch-portfolio.ts'
import { RowSale } from '../features/trading/sale/row-sale.tsx'

export const Route = createFileRoute('/portfolio')({
  loader: ({ context }) => {
    void prefetchPortfolio(context.cache)
  },
  component: PortfolioRoute,
})

function PortfolioRoute() {
  return <PortfolioScreen renderSale={(sale) => <RowSale {...sale} />} />
}
