import { type ReactNode, useState } from 'react'
import { FetchFailed } from '../../components/feedback/fetch-failed.tsx'
import { type Token, type TokenId, trpc } from '../../lib/api/api.ts'
import { getReason } from '../../lib/api/failure.ts'
import { priceLabel } from '../../lib/format/format.ts'
import { useThrottled } from '../../lib/hooks/use-throttled.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { useConnection, useTokenFeed } from '../../lib/live/live.ts'
import { DAY_FIGURES } from '../../lib/market/day-figures.ts'
import { PriceAnnouncer } from './header/price-announcer.tsx'
import { TokenAbout } from './header/token-about.tsx'
import { TokenHeader } from './header/token-header.tsx'
import { TokenStats } from './header/token-stats.tsx'
import { RugStoryPanel } from './lists/rug-story-panel.tsx'
import { TopHolders } from './lists/top-holders.tsx'
import { TradeHistory } from './lists/trade-history.tsx'
import { TokenNotFound } from './token-not-found.tsx'
import classes from './token-screen.module.css'
import { TokenSkeleton } from './token-skeleton.tsx'

const TITLE_EVERY_MS = 1_000

interface TokenScreenProps {
  readonly id: TokenId
  /** Slots filled by other features. */
  readonly chart: (token: Token) => ReactNode
  readonly booth: (token: Token) => ReactNode
}

/** A token's page, updated live. */
export function TokenScreen({ id, chart, booth }: TokenScreenProps) {
  const query = trpc.tokens.get.useQuery({ id }, DAY_FIGURES)
  const token = query.data
  useTokenFeed(id, token !== undefined)
  const story = trpc.tokens.rugStory.useQuery({ id }, { enabled: token !== undefined && token.ruggedAt !== null })
  const [isOpen, setOpen] = useState(false)
  // If the token is already rugged on load, wait for the rug story, so that nothing jumps. If it is rugged later, do
  // not.
  const isReady = token !== undefined && !story.isLoading
  if (isReady && !isOpen) setOpen(true)

  if (getReason(query.error) === 'TOKEN_NOT_FOUND') return <TokenNotFound />
  // Keep the page on later errors: it may hold an order being typed.
  if (token !== undefined && isOpen) return <TokenPage token={token} chart={chart(token)} booth={booth(token)} />
  if (!query.isError) return <TokenSkeleton />
  return (
    <FetchFailed level={1} title="The token is out of reach" error={query.error} onRetry={() => void query.refetch()} />
  )
}

interface TokenPageProps {
  readonly token: Token
  readonly chart: ReactNode
  readonly booth: ReactNode
}

function TokenPage({ token, chart, booth }: TokenPageProps) {
  const { state } = useConnection()
  const price = useThrottled(token.currentPrice, TITLE_EVERY_MS)
  useTitle(`${priceLabel(price)} ${token.symbol} · ${token.name}`)
  return (
    <div className={classes.page} data-stale={state === 'offline'}>
      <div className={classes.header}>
        <TokenHeader token={token} />
        <PriceAnnouncer price={token.currentPrice} />
        {token.ruggedAt !== null && <RugStoryPanel token={token} />}
      </div>
      <div className={classes.chart}>{chart}</div>
      <div className={classes.side}>
        {booth}
        <TopHolders token={token} />
      </div>
      <div className={classes.info}>
        <TokenAbout token={token} />
        <TokenStats token={token} />
      </div>
      <div className={classes.trades}>
        <TradeHistory id={token.id} symbol={token.symbol} />
      </div>
    </div>
  )
}
