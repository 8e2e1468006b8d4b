import { useNavigate } from '@tanstack/react-router'
import { type Dispatch, useCallback, useEffect, useEffectEvent, useState } from 'react'
import { Fetched, UnlessFailed } from '../../../components/feedback/fetched.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { ButtonLink } from '../../../components/form/button.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import type { Timeframe, TokenId } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { formatMoment } from '../../../lib/format/moment-text.ts'
import { useTitle } from '../../../lib/hooks/use-title.ts'
import { areSingleKeysOn } from '../../../lib/ui/hotkeys.ts'
import { mayMove } from '../../../lib/ui/motion.ts'
import { PastChartCard } from '../../chart/chart-card.tsx'
import { TokenAbout } from '../header/token-about.tsx'
import { TokenHeader } from '../header/token-header.tsx'
import { TokenStats } from '../header/token-stats.tsx'
import { Holders } from '../lists/top-holders.tsx'
import { TradeTable } from '../lists/trade-table.tsx'
import { TokenNotFound } from '../token-not-found.tsx'
import page from '../token-screen.module.css'
import { TokenSkeleton } from '../token-skeleton.tsx'
import { NoTrading } from './no-trading.tsx'
import { PastBar } from './past-bar.tsx'
import classes from './past-screen.module.css'
import { isAtEnd, type Player, type PlayerAction } from './player.ts'
import { type Past, usePast, type View } from './use-past.ts'

const FAILURE = 'Could not load this point in time'

interface PastScreenProps {
  readonly id: TokenId
  /** The event's sequence number from the URL. */
  readonly at: number
}

/** Shows a token's page as it was right after one of its events. Live events do not change this page. */
export function PastScreen({ id, at }: PastScreenProps) {
  const navigate = useNavigate()
  const [timeframe, setTimeframe] = useState<Timeframe>('ALL')
  const onMoment = useCallback(
    (seq: number) =>
      void navigate({
        to: '/token/$id',
        params: { id: String(id) },
        search: { at: seq },
        replace: true,
        resetScroll: false,
      }),
    [navigate, id],
  )
  const past = usePast({ id, at, timeframe, onMoment })
  usePastKeys(past.player, past.dispatch)
  return (
    <Fetched
      level={1}
      query={past.query}
      failure={FAILURE}
      skeleton={<TokenSkeleton />}
      instead={{ TOKEN_NOT_FOUND: <TokenNotFound />, MOMENT_NOT_FOUND: <NotYet id={id} /> }}
    >
      {(view) => <PastPage past={past} view={view} timeframe={timeframe} onTimeframe={setTimeframe} />}
    </Fetched>
  )
}

/** Says that the token has not reached the sequence number in the URL yet. */
function NotYet({ id }: { id: TokenId }) {
  useTitle('This event has not happened yet')
  return (
    <Notice
      level={1}
      emoji="🔮"
      title="This event has not happened yet"
      action={
        <ButtonLink to="/token/$id" params={{ id: String(id) }} search={{}}>
          Return to the present
        </ButtonLink>
      }
    >
      The time machine only goes back in time.
    </Notice>
  )
}

interface PastPageProps {
  readonly past: Past
  readonly view: View
  readonly timeframe: Timeframe
  readonly onTimeframe: (timeframe: Timeframe) => void
}

function PastPage({ past, view, ...timing }: PastPageProps) {
  const { player, dispatch, isBehind, resting, query } = past
  const { token, trades, holders, time, isWhole } = view
  const user = useCurrentUser()
  useTitle(`${token.symbol} · ${token.name} · ${formatMoment(time)}`)
  const isRugged = token.ruggedAt !== null
  const wasPlayed = useWasPlayed(isRugged, player.isPlaying)
  return (
    <div className={`${classes.past} stack gap-l fit`}>
      <PastBar
        id={token.id}
        player={player}
        dispatch={dispatch}
        view={view}
        isBehind={isBehind}
        canPlayRug={isRugged && isAtEnd(player) && mayMove('shake')}
      />
      {/* The page still shows an earlier selection. */}
      <UnlessFailed level={2} query={{ ...query, data: undefined }} failure={FAILURE} />
      <div className={`grid gap-l ${page.page}`} data-busy={isBehind && !player.isPlaying}>
        <div className={`${page.header} stack gap-l fit`}>
          <TokenHeader token={token} isStill />
        </div>
        <div className={`fit ${page.chart} relative`}>
          <PastChartCard {...view} {...timing} change24h={isWhole ? token.priceChange24h : null} />
          {wasPlayed && (
            <span className={`stamp stamp-big alarm absolute untouchable ${classes.stamp}`} aria-hidden="true">
              Rugged
            </span>
          )}
        </div>
        <div className={`sticky round-m ${page.panel} stack gap-l fit`}>
          <NoTrading token={token} seq={resting} />
          <div className={`${page.side} stack gap-l fit`}>
            <Panel title="Top Holders">
              <Holders holders={holders} token={token} />
            </Panel>
          </div>
        </div>
        <div className={`${page.info} stack gap-l fit`}>
          <TokenAbout token={token} />
          <TokenStats token={token} volume24h={isWhole ? token.volume24h : null} />
        </div>
        <div className={`fit ${page.trades}`}>
          <Panel title="Trading History">
            {trades.length === 0 ? (
              <p className="nothing">Nobody had traded yet.</p>
            ) : (
              <TradeTable trades={trades} symbol={token.symbol} ownId={user?.id ?? null} atMs={Date.parse(time)} />
            )}
          </Panel>
        </div>
      </div>
    </div>
  )
}

/**
 * Returns whether the page reached the rug pull by a replay, and not by a link. Always returns false for players who
 * want reduced motion.
 */
function useWasPlayed(isRugged: boolean, isPlaying: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(false)
  if (isPlaying && !isRugged && !wasOpen) setWasOpen(true)
  if (!isPlaying && !isRugged && wasOpen) setWasOpen(false)
  return isRugged && wasOpen && mayMove('shake')
}

/** Selector for elements that use the arrow keys themselves. */
const OWN_KEYS = 'input, textarea, select, [role="slider"], [contenteditable="true"], [aria-modal="true"] *'
/** Selector for elements that the space bar presses. */
const PRESSED = 'button, a, summary'

/**
 * Handles keys: the left and right arrows move by one event, Home and End jump to the ends, and the space bar plays and
 * pauses.
 */
function usePastKeys(player: Player, dispatch: Dispatch<PlayerAction>): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return
    const action = findAction(event, player)
    if (action === null) return
    event.preventDefault()
    dispatch(action)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function findAction({ key, target }: KeyboardEvent, { isPlaying }: Player): PlayerAction | null {
  if (target instanceof Element && target.closest(OWN_KEYS) !== null) return null
  if (document.querySelector('[aria-modal="true"]') !== null) return null
  if (key === 'ArrowLeft') return { type: 'step', by: -1 }
  if (key === 'ArrowRight') return { type: 'step', by: 1 }
  if (key === 'Home') return { type: 'seek', seq: 0 }
  if (key === 'End') return { type: 'end' }
  if (key !== ' ' || !areSingleKeysOn()) return null
  if (target instanceof Element && target.closest(PRESSED) !== null) return null
  return { type: isPlaying ? 'pause' : 'play' }
}
