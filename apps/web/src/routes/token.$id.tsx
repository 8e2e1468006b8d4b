import { createFileRoute } from '@tanstack/react-router'
import { ChartCard } from '../features/chart/chart-card.tsx'
import { warmToken } from '../features/tokens/prefetch-token.ts'
import { tokenIdOf } from '../features/tokens/token-id.ts'
import { TokenNotFound } from '../features/tokens/token-not-found.tsx'
import { TokenScreen } from '../features/tokens/token-screen.tsx'
import { TradePanel } from '../features/trading/panel/trade-panel.tsx'
import { within } from '../lib/api/within.ts'
import { FIRST_VIEW_MAX_MS, firstViewStands } from '../lib/boot/first-view-state.ts'

export const Route = createFileRoute('/token/$id')({
  loader: async ({ context: { cache }, params }) => {
    const id = tokenIdOf(params.id)
    if (id === null) return
    warmToken(cache, id)
    // It says who the token is: drawing the screen before that is known again would take it away.
    if (firstViewStands()) await within(FIRST_VIEW_MAX_MS, cache.tokens.get.prefetch({ id }))
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
