import type { ReactNode } from 'react'
import { FetchFailed } from '../../components/fetch-failed.tsx'
import { type Token, type TokenId, trpc } from '../../lib/api.ts'
import { reasonOf } from '../../lib/failure.ts'
import { priceLabel } from '../../lib/format.ts'
import { useConnection, useTokenFeed } from '../../lib/live.ts'
import { useThrottled } from '../../lib/use-throttled.ts'
import { useTitle } from '../../lib/use-title.ts'
import { PriceAnnouncer } from './price-announcer.tsx'
import { TokenAbout } from './token-about.tsx'
import { TokenHeader } from './token-header.tsx'
import { TokenNotFound } from './token-not-found.tsx'
import classes from './token-screen.module.css'
import { TokenSkeleton } from './token-skeleton.tsx'
import { TokenStats } from './token-stats.tsx'
import { TopHolders } from './top-holders.tsx'
import { TradeHistory } from './trade-history.tsx'

const TITLE_EVERY_MS = 1_000

interface TokenScreenProps {
  readonly id: TokenId
  /** Parts that other features bring. */
  readonly chart: (token: Token) => ReactNode
  readonly booth: (token: Token) => ReactNode
}

/** A token's page: what it is, what it costs, and who trades it, live. */
export function TokenScreen({ id, chart, booth }: TokenScreenProps) {
  const query = trpc.tokens.get.useQuery({ id })
  useTokenFeed(id, query.isSuccess)

  if (query.isSuccess) return <TokenPage token={query.data} chart={chart(query.data)} booth={booth(query.data)} />
  if (query.isPending) return <TokenSkeleton />
  if (reasonOf(query.error) === 'TOKEN_NOT_FOUND') return <TokenNotFound />
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
