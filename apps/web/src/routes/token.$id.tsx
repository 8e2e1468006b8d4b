import { createFileRoute } from '@tanstack/react-router'
import { ChartCard } from '../features/chart/chart-card.tsx'
import { tokenIdOf } from '../features/tokens/token-id.ts'
import { TokenNotFound } from '../features/tokens/token-not-found.tsx'
import { TokenScreen } from '../features/tokens/token-screen.tsx'
import { warmToken } from '../features/tokens/warm-token.ts'
import { TradePanel } from '../features/trading/trade-panel.tsx'

export const Route = createFileRoute('/token/$id')({
  loader: ({ context, params }) => {
    const id = tokenIdOf(params.id)
    if (id !== null) warmToken(context.cache, id)
  },
  component: TokenRoute,
})

function TokenRoute() {
  const id = tokenIdOf(Route.useParams().id)
  if (id === null) return <TokenNotFound />
  return (
    <TokenScreen
      key={id}
      id={id}
      chart={(token) => <ChartCard token={token} />}
      booth={(token) => <TradePanel token={token} />}
    />
  )
}
