import { useThrottledValue } from '@mantine/hooks'
import { formatTokens, priceLabel } from '@papermoon/format'
import { type CSSProperties, type ReactNode, useRef, useState } from 'react'
import { Fetched } from '../../components/feedback/fetched.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { type Position, type Token, type TokenId, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { useShowBelowFold } from '../../lib/boot/use-show-below-fold.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { useTokenFeed } from '../../lib/live/live.ts'
import { useConnection } from '../../lib/live/socket.ts'
import { DAY_FIGURES } from '../../lib/market/listing.ts'
import { TokenAbout } from './header/token-about.tsx'
import { TokenHeader } from './header/token-header.tsx'
import { TokenStats } from './header/token-stats.tsx'
import { RugStoryPanel } from './lists/rug-story-panel.tsx'
import { TopHolders } from './lists/top-holders.tsx'
import { TRADES_SHOWN, TradeHistory } from './lists/trade-table.tsx'
import { TokenNotFound } from './token-not-found.tsx'
import classes from './token-screen.module.css'
import { TokenSkeleton } from './token-skeleton.tsx'

const TITLE_EVERY_MS = 1_000
const FAILURE = 'Could not load the token'

const RugMoment = lazyPart(() => import('./rug/rug-moment.tsx'), 'RugMoment')

export interface TokenSlots {
  readonly chart: (token: Token) => ReactNode
  readonly tradePanel: (token: Token) => ReactNode
  /** Notes that the page shows after the trade panel. */
  readonly tradeNotes?: ((token: Token) => ReactNode) | undefined
  /** Content beside the creator's name. */
  readonly creatorAction: (token: Token) => ReactNode
  readonly headerActions?: ((token: Token) => ReactNode) | undefined
  readonly talk: (token: Token) => ReactNode
  readonly banner?: (token: Token) => ReactNode
  readonly hiddenSale: (holding: HiddenHolding) => ReactNode
}

interface TokenScreenProps {
  readonly id: TokenId
  readonly slots: TokenSlots
}

export function TokenScreen({ id, slots }: TokenScreenProps) {
  const query = trpc.tokens.get.useQuery({ id }, DAY_FIGURES)
  const token = query.data
  useTokenFeed(id, token !== undefined)
  const story = trpc.tokens.rugStory.useQuery({ id }, { enabled: token !== undefined && token.ruggedAt !== null })
  const [isOpen, setOpen] = useState(false)
  // If the token is already rugged when the page loads, wait for the details of the rug pull, so that nothing jumps. Do
  // not wait for them if the rug pull happens later.
  const isReady = token !== undefined && !story.isLoading
  if (isReady && !isOpen) setOpen(true)

  return (
    <Fetched
      level={1}
      query={{ ...query, data: isOpen ? token : undefined }}
      failure={FAILURE}
      skeleton={<TokenSkeleton />}
      instead={{ TOKEN_NOT_FOUND: <MissingToken id={id} sale={slots.hiddenSale} /> }}
    >
      {(shown) => <TokenPage token={shown} slots={slots} />}
    </Fetched>
  )
}

interface TokenPageProps {
  readonly token: Token
  readonly slots: TokenSlots
}

function TokenPage({ token, slots }: TokenPageProps) {
  const { state } = useConnection()
  const price = useThrottledValue(token.currentPrice, TITLE_EVERY_MS)
  useTitle(`${priceLabel(price)} ${token.symbol} · ${token.name}`)
  const chart = useRef<HTMLDivElement>(null)
  const [wasOpen] = useState(token.ruggedAt === null)
  const showsBelowFold = useShowBelowFold()
  return (
    <div className={`grid gap-l ${classes.page}`} data-stale={state === 'offline'}>
      <div className={`${classes.header} stack gap-l fit`}>
        {slots.banner?.(token)}
        <TokenHeader token={token} actions={slots.headerActions?.(token)} creatorAction={slots.creatorAction(token)} />
        <PriceAnnouncer price={token.currentPrice} />
        {token.ruggedAt !== null && <RugStoryPanel token={token} />}
      </div>
      <div ref={chart} className={`fit ${classes.chart}`}>
        {slots.chart(token)}
      </div>
      <div className={`sticky round-m ${classes.panel} stack gap-l fit`}>
        {slots.tradePanel(token)}
        {showsBelowFold && (
          <>
            {slots.tradeNotes?.(token)}
            <div className={`${classes.side} stack gap-l fit`}>
              <TopHolders token={token} />
              {token.ruggedAt === null && <DepthPanel token={token} />}
            </div>
          </>
        )}
      </div>
      {showsBelowFold ? (
        <>
          <div className={`fit ${classes.talk}`}>{slots.talk(token)}</div>
          <div className={`${classes.info} stack gap-l fit`}>
            <DangerSlot token={token} />
            <TokenAbout token={token} />
            <TokenStats token={token} />
          </div>
          <div
            className={`fit ${classes.trades}`}
            style={{ '--rows': Math.min(token.totalTrades, TRADES_SHOWN) } as CSSProperties}
          >
            <TradeHistory id={token.id} symbol={token.symbol} />
          </div>
        </>
      ) : (
        <div className={classes.later} />
      )}
      {wasOpen && token.ruggedAt !== null && <RugMoment token={token} stage={chart} />}
    </div>
  )
}

const DepthPanel = lazyPart(() => import('./lists/depth-panel.tsx'), 'DepthPanel')

const DangerPanel = lazyPart(() => import('./danger-panel.tsx'), 'DangerPanel')

/**
 * Loads the danger panel after the page, and reserves its final height. Renders nothing for a rugged token, because the
 * danger is over.
 */
function DangerSlot({ token }: { token: Token }) {
  if (token.ruggedAt !== null) return null
  return (
    <div className={classes.slot}>
      <DangerPanel token={token} />
    </div>
  )
}

/** Min time between two announcements of the price, in ms. */
const EVERY_MS = 10_000

function PriceAnnouncer({ price }: { price: string }) {
  return (
    <p className="visually-hidden" role="status">
      Price {useThrottledValue(price, EVERY_MS)} SOL
    </p>
  )
}

/** Time between two reads of a hidden token's pool, in ms, because hidden tokens have no live feed. */
const POOL_EVERY_MS = 5_000

interface HiddenHolding {
  readonly token: NonNullable<Position['hiddenToken']> & { readonly id: TokenId }
  readonly amount: string
}

interface MissingTokenProps {
  readonly id: TokenId
  readonly sale: (holding: HiddenHolding) => ReactNode
}

/** Says why a token has no public page. Holders can still sell a token here that an operator has hidden. */
function MissingToken(props: MissingTokenProps) {
  return useCurrentUser() === null ? <TokenNotFound /> : <MissingForPlayer {...props} />
}

function MissingForPlayer({ id, sale }: MissingTokenProps) {
  const query = trpc.trading.position.useQuery(
    { tokenId: id },
    // Read the pool again only for a hidden token that the player holds, because other tokens here have no pool.
    { refetchInterval: ({ state }) => state.data?.hiddenToken !== undefined && POOL_EVERY_MS },
  )
  return (
    <Fetched
      level={1}
      query={query}
      failure={FAILURE}
      skeleton={<TokenSkeleton />}
      instead={{ TOKEN_NOT_FOUND: <TokenNotFound /> }}
    >
      {({ hiddenToken, amount }) =>
        hiddenToken === undefined ? (
          <TokenNotFound />
        ) : (
          <HiddenToken holding={{ token: { ...hiddenToken, id }, amount }} sale={sale} />
        )
      }
    </Fetched>
  )
}

function HiddenToken({ holding, sale }: { holding: HiddenHolding; sale: MissingTokenProps['sale'] }) {
  const { name, symbol, ruggedAt } = holding.token
  useTitle(`${symbol} · ${name}`)
  const held = `${formatTokens(holding.amount)} ${symbol}`
  const own =
    ruggedAt === null
      ? `You hold ${held}, and you can still sell it.`
      : `You hold ${held}. The token was rugged, so you cannot sell it.`
  return (
    <>
      <PageHead
        title={name}
        lead={`An operator has hidden this token. Nobody can find or buy it any more, and only its holders see this page. ${own}`}
      />
      {ruggedAt === null && <Panel title={`Sell ${symbol}`}>{sale(holding)}</Panel>}
    </>
  )
}
