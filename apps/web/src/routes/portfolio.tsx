import { createFileRoute } from '@tanstack/react-router'
import { PortfolioScreen } from '../features/portfolio/portfolio-screen.tsx'
import { warmPortfolio } from '../features/portfolio/warm-portfolio.ts'

export const Route = createFileRoute('/portfolio')({
  loader: ({ context }) => {
    void warmPortfolio(context.cache)
  },
  component: PortfolioScreen,
})
