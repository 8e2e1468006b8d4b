import { useThrottledValue } from '@mantine/hooks'
import { isFairToken } from '@papermoon/contract/fair-tokens'
import { formatTokens, priceLabel } from '@papermoon/format'
import { useParams, useSearch } from '@tanstack/react-router'
import { type CSSProperties, useRef, useState } from 'react'
import { Fetched } from '../../components/feedback/fetched.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { StarButton } from '../../components/tokens/star-button.tsx'
import { type Position, type Token, type TokenId, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { useShowBelowFold } from '../../lib/boot/use-show-below-fold.ts'
import { parseTokenId } from '../../lib/format/id-in-address.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { useTokenFeed } from '../../lib/live/live.ts'
import { useConnection } from '../../lib/live/socket.ts'
import { DAY_FIGURES } from '../../lib/market/listing.ts'
import * as stars from '../../lib/market/stars.ts'
import { AlertButton } from '../alerts/alert-button.tsx'
import { PushQuestion } from '../alerts/push-question.tsx'
import { ChartCard } from '../chart/chart-card.tsx'
import { WatchAnswer } from '../quests/quest-store.ts'
import { TradePanel } from '../trading/panel/trade-panel.tsx'
import { HiddenSale } from '../trading/sale/row-sale.tsx'
import { WinSlot } from '../trading/win/win-slot.tsx'
import { TokenAbout } from './header/token-about.tsx'
import { TokenHeader } from './header/token-header.tsx'
import { TokenStats } from './header/token-stats.tsx'
import { RugStoryPanel } from './lists/rug-story-panel.tsx'
import { TopHolders } from './lists/top-holders.tsx'
import { TRADES_SHOWN, TradeHistory } from './lists/trade-table.tsx'
import { TokenNotFound } from './token-not-found.tsx'
import classes from './token-screen.module.css'
import { TokenSkeleton } from './token-skeleton.tsx'
import { Watching } from './watching.tsx'

const TITLE_EVERY_MS = 1_000
const FAILURE = 'Could not load the token'

const FairBar = lazyPart(() => import('../fairs/fair-bar.tsx'), 'FairBar')
const FollowCreator = lazyPart(() => import('../talk/follow-button.tsx'), 'FollowCreator')
const PastScreen = lazyPart(() => import('./past/past-screen.tsx'), 'PastScreen', <TokenSkeleton />)
const RugMoment = lazyPart(() => import('./rug/rug-moment.tsx'), 'RugMoment')
const TalkPanel = lazyPart(() => import('../talk/talk-panel.tsx'), 'TalkPanel')

/** Shows a token's page, in its current state or at a past time such as `?at=120`. */
export function TokenScreen() {
  const id = parseTokenId(useParams({ from: '/token/$id' }).id)
  const { at } = useSearch({ from: '/token/$id' })
  if (id === null) return <TokenNotFound />
  return at === undefined ? <CurrentToken key={id} id={id} /> : <PastScreen key={id} id={id} at={at} />
}

function CurrentToken({ id }: { id: TokenId }) {
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
      instead={{ TOKEN_NOT_FOUND: <MissingToken id={id} /> }}
    >
      {(shown) => <TokenPage token={shown} />}
    </Fetched>
  )
}

/** The page of a fair's token has no star, alerts or win card. */
function TokenPage({ token }: { token: Token }) {
  const isInFair = isFairToken(token.id)
  const { creator } = token
  const { state } = useConnection()
  const price = useThrottledValue(token.currentPrice, TITLE_EVERY_MS)
  useTitle(`${priceLabel(price)} ${token.symbol} · ${token.name}`)
  const chart = useRef<HTMLDivElement>(null)
  const [wasOpen] = useState(token.ruggedAt === null)
  const showsBelowFold = useShowBelowFold()
  return (
    <div className={`grid gap-l ${classes.page}`} data-stale={state === 'offline'}>
      <div className={`${classes.header} stack gap-l fit`}>
        {token.fairId !== undefined && <FairBar id={token.fairId} />}
        <TokenHeader
          token={token}
          actions={!isInFair && <HeaderActions token={token} />}
          creatorAction={<FollowCreator id={creator.id} name={creator.username} />}
        />
        <PriceAnnouncer price={token.currentPrice} />
        {token.ruggedAt !== null && <RugStoryPanel token={token} />}
      </div>
      <div ref={chart} className={`fit ${classes.chart}`}>
        <ChartCard token={token} />
      </div>
      <div className={`sticky round-m ${classes.panel} stack gap-l fit`}>
        <TradePanel token={token} />
        {showsBelowFold && (
          <>
            {!isInFair && <TradeNotes token={token} />}
            <div className={`${classes.side} stack gap-l fit`}>
              <TopHolders token={token} />
              {token.ruggedAt === null && <DepthPanel token={token} />}
            </div>
          </>
        )}
      </div>
      {showsBelowFold ? (
        <>
          <div className={`fit ${classes.talk}`}>
            <TalkPanel topic={{ tokenId: token.id }} rug={token} />
          </div>
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

function HeaderActions({ token }: { token: Token }) {
  return (
    <>
      <div className="stack round on-sunken">
        <StarButton id={token.id} name={token.name} stars={stars} />
        <AlertButton token={token} />
      </div>
      <Watching id={token.id} />
    </>
  )
}

function TradeNotes({ token }: { token: Token }) {
  return (
    <>
      <WinSlot token={token} />
      <PushQuestion token={token} />
      <WatchAnswer token={token} />
    </>
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

/** Says why a token has no public page. Holders can still sell a token here that an operator has hidden. */
function MissingToken({ id }: { id: TokenId }) {
  return useCurrentUser() === null ? <TokenNotFound /> : <MissingForPlayer id={id} />
}

function MissingForPlayer({ id }: { id: TokenId }) {
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
        hiddenToken === undefined ? <TokenNotFound /> : <HiddenToken token={{ ...hiddenToken, id }} amount={amount} />
      }
    </Fetched>
  )
}

function HiddenToken({ token, amount }: HiddenHolding) {
  const { name, symbol, ruggedAt } = token
  useTitle(`${symbol} · ${name}`)
  const held = `${formatTokens(amount)} ${symbol}`
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
      {ruggedAt === null && (
        <Panel title={`Sell ${symbol}`}>
          <HiddenSale token={token} amount={amount} />
        </Panel>
      )}
    </>
  )
}
