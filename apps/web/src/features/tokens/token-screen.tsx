import { type CSSProperties, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { FetchFailed } from '../../components/feedback/fetch-failed.tsx'
import { type Token, type TokenId, trpc } from '../../lib/api/api.ts'
import { getReason } from '../../lib/api/failure.ts'
import { lazyImport } from '../../lib/boot/lazy-import.ts'
import { priceLabel } from '../../lib/format/format.ts'
import { useThrottled } from '../../lib/hooks/use-throttled.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { useConnection, useTokenFeed } from '../../lib/live/live.ts'
import { DAY_FIGURES } from '../../lib/market/day-figures.ts'
import { DangerSlot } from './danger/danger-slot.tsx'
import { PriceAnnouncer } from './header/price-announcer.tsx'
import { TokenAbout } from './header/token-about.tsx'
import { TokenHeader } from './header/token-header.tsx'
import { TokenStats } from './header/token-stats.tsx'
import { RugStoryPanel } from './lists/rug-story-panel.tsx'
import { TopHolders } from './lists/top-holders.tsx'
import { TradeHistory } from './lists/trade-history.tsx'
import { TRADES_SHOWN } from './lists/trade-table.tsx'
import { type HiddenHolding, MissingToken } from './missing-token.tsx'
import classes from './token-screen.module.css'
import { TokenSkeleton } from './token-skeleton.tsx'

const TITLE_EVERY_MS = 1_000

const RugMoment = lazy(() =>
  lazyImport(() => import('./rug/rug-moment.tsx')).then((module) => ({ default: module.RugMoment })),
)

/** The parts of the page that other features fill; the route names them. */
export interface TokenSlots {
  readonly chart: (token: Token) => ReactNode
  readonly tradePanel: (token: Token) => ReactNode
  /** Buttons in the header. */
  readonly headerActions?: (token: Token) => ReactNode
  /** The sale of a hidden token that the player holds. */
  readonly hiddenSale: (holding: HiddenHolding) => ReactNode
}

interface TokenScreenProps {
  readonly id: TokenId
  readonly slots: TokenSlots
}

/** A token's page, updated live. */
export function TokenScreen({ id, slots }: TokenScreenProps) {
  const query = trpc.tokens.get.useQuery({ id }, DAY_FIGURES)
  const token = query.data
  useTokenFeed(id, token !== undefined)
  const story = trpc.tokens.rugStory.useQuery({ id }, { enabled: token !== undefined && token.ruggedAt !== null })
  const [isOpen, setOpen] = useState(false)
  // If the token is already rugged on load, wait for the rug story, so that nothing jumps. If it is rugged later, do
  // not.
  const isReady = token !== undefined && !story.isLoading
  if (isReady && !isOpen) setOpen(true)

  if (getReason(query.error) === 'TOKEN_NOT_FOUND') return <MissingToken id={id} sale={slots.hiddenSale} />
  // Keep the page on later errors: it may hold an order being typed.
  if (token !== undefined && isOpen) return <TokenPage token={token} slots={slots} />
  if (!query.isError) return <TokenSkeleton />
  return (
    <FetchFailed level={1} title="The token is out of reach" error={query.error} onRetry={() => void query.refetch()} />
  )
}

interface TokenPageProps {
  readonly token: Token
  readonly slots: TokenSlots
}

function TokenPage({ token, slots }: TokenPageProps) {
  const { state } = useConnection()
  const price = useThrottled(token.currentPrice, TITLE_EVERY_MS)
  useTitle(`${priceLabel(price)} ${token.symbol} · ${token.name}`)
  const chart = useRef<HTMLDivElement>(null)
  const [wasOpen] = useState(token.ruggedAt === null)
  return (
    <div className={classes.page} data-stale={state === 'offline'}>
      <div className={classes.header}>
        <TokenHeader token={token} actions={slots.headerActions?.(token)} />
        <PriceAnnouncer price={token.currentPrice} />
        {token.ruggedAt !== null && <RugStoryPanel token={token} />}
      </div>
      <div ref={chart} className={classes.chart}>
        {slots.chart(token)}
      </div>
      <div className={classes.panel}>{slots.tradePanel(token)}</div>
      <div className={classes.info}>
        <DangerSlot token={token} />
        <TokenAbout token={token} />
        <TokenStats token={token} />
      </div>
      <div className={classes.side}>
        <TopHolders token={token} />
      </div>
      <div className={classes.trades} style={{ '--rows': Math.min(token.totalTrades, TRADES_SHOWN) } as CSSProperties}>
        <TradeHistory id={token.id} symbol={token.symbol} />
      </div>
      {wasOpen && token.ruggedAt !== null && (
        <Suspense>
          <RugMoment token={token} stage={chart} />
        </Suspense>
      )}
    </div>
  )
}
