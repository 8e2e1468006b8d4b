import { isFairToken } from '@papermoon/contract/fair-tokens'
import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { StarButton } from '../components/tokens/star-button.tsx'
import { AlertButton } from '../features/alerts/alert-button.tsx'
import { PushQuestion } from '../features/alerts/push-question.tsx'
import { ChartCard } from '../features/chart/chart-card.tsx'
import { WatchAnswer } from '../features/quests/quest-store.ts'
import type { PastChartProps } from '../features/tokens/past/past-screen.tsx'
import { prefetchToken } from '../features/tokens/prefetch-token.ts'
import { TokenNotFound } from '../features/tokens/token-not-found.tsx'
import { TokenScreen, type TokenSlots } from '../features/tokens/token-screen.tsx'
import { TokenSkeleton } from '../features/tokens/token-skeleton.tsx'
import { Watching } from '../features/tokens/watching.tsx'
import { TradePanel } from '../features/trading/panel/trade-panel.tsx'
import { HiddenSale } from '../features/trading/sale/row-sale.tsx'
import { WinSlot } from '../features/trading/win/win-slot.tsx'
import { FIRST_VIEW_MAX_MS, isFirstViewShown, within } from '../lib/boot/first-view-state.ts'
import { lazyImport } from '../lib/boot/lazy-import.ts'
import { parseMoment, parseTokenId } from '../lib/format/id-in-address.ts'
import * as stars from '../lib/market/stars.ts'

export const Route = createFileRoute('/token/$id')({
  validateSearch: parseMoment,
  loader: async ({ context: { cache }, params }) => {
    const id = parseTokenId(params.id)
    if (id === null) return
    prefetchToken(cache, id)
    // The first view already shows the token, so wait for its data instead of replacing it with a skeleton.
    if (isFirstViewShown()) await within(FIRST_VIEW_MAX_MS, cache.tokens.get.prefetch({ id }))
  },
  component: TokenRoute,
})

const TalkPanel = lazy(() =>
  lazyImport(() => import('../features/talk/talk-panel.tsx')).then((part) => ({ default: part.TalkPanel })),
)

const SLOTS: TokenSlots = {
  talk: (token) => (
    <Suspense>
      <TalkPanel topic={{ tokenId: token.id }} rug={token} />
    </Suspense>
  ),
  headerActions: (token) => (
    <>
      <StarButton id={token.id} name={token.name} stars={stars} />
      <AlertButton token={token} />
      <Watching id={token.id} />
    </>
  ),
  chart: (token) => <ChartCard token={token} />,
  tradePanel: (token) => <TradePanel token={token} />,
  tradeNotes: (token) => (
    <>
      <WinSlot token={token} />
      <PushQuestion token={token} />
      <WatchAnswer token={token} />
    </>
  ),
  hiddenSale: (holding) => <HiddenSale {...holding} />,
}

const FairBar = lazy(() =>
  lazyImport(() => import('../features/fairs/fair-bar.tsx')).then(({ FairBar }) => ({ default: FairBar })),
)

/** What there is on the page of a fair’s token: no star, no alert, no card of a win. */
const FAIR_SLOTS: TokenSlots = {
  ...SLOTS,
  headerActions: undefined,
  banner: ({ fairId }) => <Suspense>{fairId !== undefined && <FairBar id={fairId} />}</Suspense>,
  tradeNotes: undefined,
}

const PastScreen = lazy(() =>
  lazyImport(() => import('../features/tokens/past/past-screen.tsx')).then(({ PastScreen }) => ({
    default: PastScreen,
  })),
)
const PastChartCard = lazy(() =>
  lazyImport(() => import('../features/chart/past-chart-card.tsx')).then(({ PastChartCard }) => ({
    default: PastChartCard,
  })),
)
const drawPastChart = (props: PastChartProps) => <PastChartCard {...props} />

function TokenRoute() {
  const id = parseTokenId(Route.useParams().id)
  const { at } = Route.useSearch()
  if (id === null) return <TokenNotFound />
  if (at === undefined) return <TokenScreen key={id} id={id} slots={isFairToken(id) ? FAIR_SLOTS : SLOTS} />
  return (
    <Suspense fallback={<TokenSkeleton />}>
      <PastScreen key={id} id={id} at={at} chart={drawPastChart} />
    </Suspense>
  )
}
