import { createFileRoute } from '@tanstack/react-router'
import { ChartCard } from '../features/chart/chart-card.tsx'
import { prefetchToken } from '../features/tokens/prefetch-token.ts'
import { parseTokenId } from '../features/tokens/token-id.ts'
import { TokenNotFound } from '../features/tokens/token-not-found.tsx'
import { TokenScreen, type TokenSlots } from '../features/tokens/token-screen.tsx'
import { TradePanel } from '../features/trading/panel/trade-panel.tsx'
import { HiddenSale } from '../features/trading/sale/hidden-sale.tsx'
import { within } from '../lib/api/within.ts'
import { FIRST_VIEW_MAX_MS, isFirstViewShown } from '../lib/boot/first-view-state.ts'

export const Route = createFileRoute('/token/$id')({
  loader: async ({ context: { cache }, params }) => {
    const id = parseTokenId(params.id)
    if (id === null) return
    prefetchToken(cache, id)
    // The first view already shows the token, so wait for its data instead of replacing it with a skeleton.
    if (isFirstViewShown()) await within(FIRST_VIEW_MAX_MS, cache.tokens.get.prefetch({ id }))
  },
  component: TokenRoute,
})

const SLOTS: TokenSlots = {
  chart: (token) => <ChartCard token={token} />,
  tradePanel: (token) => <TradePanel token={token} />,
  hiddenSale: (holding) => <HiddenSale {...holding} />,
}

function TokenRoute() {
  const id = parseTokenId(Route.useParams().id)
  if (id === null) return <TokenNotFound />
  return <TokenScreen key={id} id={id} slots={SLOTS} />
}
