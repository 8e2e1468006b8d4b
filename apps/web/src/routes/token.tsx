import { isFairToken } from '@papermoon/contract/fair-tokens'
import { useParams, useSearch } from '@tanstack/react-router'
import { StarButton } from '../components/tokens/star-button.tsx'
import { AlertButton } from '../features/alerts/alert-button.tsx'
import { PushQuestion } from '../features/alerts/push-question.tsx'
import { ChartCard, PastChartCard } from '../features/chart/chart-card.tsx'
import { WatchAnswer } from '../features/quests/quest-store.ts'
import { TokenNotFound } from '../features/tokens/token-not-found.tsx'
import { TokenScreen, type TokenSlots } from '../features/tokens/token-screen.tsx'
import { TokenSkeleton } from '../features/tokens/token-skeleton.tsx'
import { Watching } from '../features/tokens/watching.tsx'
import { TradePanel } from '../features/trading/panel/trade-panel.tsx'
import { HiddenSale } from '../features/trading/sale/row-sale.tsx'
import { WinSlot } from '../features/trading/win/win-slot.tsx'
import { lazyPart } from '../lib/boot/lazy-import.ts'
import { parseTokenId } from '../lib/format/id-in-address.ts'
import type { PastChartProps } from '../lib/market/chart-input.ts'
import * as stars from '../lib/market/stars.ts'

const TalkPanel = lazyPart(() => import('../features/talk/talk-panel.tsx'), 'TalkPanel')

const FollowCreator = lazyPart(() => import('../features/talk/follow-button.tsx'), 'FollowCreator')

const SLOTS: TokenSlots = {
  creatorAction: ({ creator }) => <FollowCreator id={creator.id} name={creator.username} />,
  talk: (token) => <TalkPanel topic={{ tokenId: token.id }} rug={token} />,
  headerActions: (token) => (
    <>
      <div className="stack round on-sunken">
        <StarButton id={token.id} name={token.name} stars={stars} />
        <AlertButton token={token} />
      </div>
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

const FairBar = lazyPart(() => import('../features/fairs/fair-bar.tsx'), 'FairBar')

/** The parts of the page of a fair's token, which has no star, alerts or win card. */
const FAIR_SLOTS: TokenSlots = {
  ...SLOTS,
  headerActions: undefined,
  banner: ({ fairId }) => fairId !== undefined && <FairBar id={fairId} />,
  tradeNotes: undefined,
}

const PastScreen = lazyPart(() => import('../features/tokens/past/past-screen.tsx'), 'PastScreen', <TokenSkeleton />)
const drawPastChart = (props: PastChartProps) => <PastChartCard {...props} />

/** Shows a token's page, in its current state or at a past time such as `?at=120`. */
export function TokenRoute() {
  const id = parseTokenId(useParams({ from: '/token/$id' }).id)
  const { at } = useSearch({ from: '/token/$id' })
  if (id === null) return <TokenNotFound />
  if (at === undefined) return <TokenScreen key={id} id={id} slots={isFairToken(id) ? FAIR_SLOTS : SLOTS} />
  return <PastScreen key={id} id={id} at={at} chart={drawPastChart} />
}
