import { formatGain, formatSol, NO_FIGURE } from '@papermoon/format'
import { useState } from 'react'
import { Fetched } from '../../../components/feedback/fetched.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Change } from '../../../components/figures/change.tsx'
import { Gain } from '../../../components/figures/gain.tsx'
import { Worth } from '../../../components/figures/worth.tsx'
import { Segmented } from '../../../components/form/segmented.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { type TokenId, trpc, type UserId } from '../../../lib/api/api.ts'
import { formatMoment } from '../../../lib/format/moment-text.ts'
import { concernsHolder, useRefetchOn } from '../../../lib/hooks/use-refetch-on.ts'
import classes from './net-worth-panel.module.css'
import {
  grantedSince,
  type HistoryTimeframe,
  isUntouched,
  type NetWorth,
  type WorthGain,
  type WorthLine,
  type WorthPoint,
  withLivePoint,
  worthLine,
} from './worth-line.ts'
import { WorthPlot } from './worth-plot.tsx'

const SPANS: Readonly<Record<HistoryTimeframe, string>> = {
  '24H': 'over 24 hours',
  '7D': 'over 7 days',
  '30D': 'over 30 days',
  ALL: 'since you joined',
}
const TIMEFRAMES = (Object.keys(SPANS) as HistoryTimeframe[]).map((value) => ({ value, label: value }))
/** Time between two reads of the net worth's history, in ms. Live events update the newest point without a read. */
const PAST_EVERY_MS = 60_000

interface NetWorthPanelProps {
  readonly userId: UserId
  /** Tokens whose trades change the player's net worth. */
  readonly moving: ReadonlySet<TokenId>
  readonly worth: NetWorth | undefined
  /** Time at which `worth` was fetched, in ms since the epoch. */
  readonly worthAtMs: number
}

/**
 * Shows the player's net worth over time: the balance, SOL in own pools, and the cash-out value of all other holdings.
 */
export function NetWorthPanel({ userId, moving, worth, worthAtMs }: NetWorthPanelProps) {
  const [timeframe, setTimeframe] = useState<HistoryTimeframe>('ALL')
  const [selected, setSelected] = useState<number | null>(null)
  const query = usePast(timeframe, userId, moving)
  const points = query.data && withLivePoint(query.data, worth, worthAtMs)
  const line = query.data && points ? worthLine(points, grantedSince(query.data, worth)) : null
  const shownTimeframe = query.data?.timeframe ?? timeframe
  const day = useDay(shownTimeframe === '24H', userId, moving)
  const gain = shownTimeframe === '24H' ? day : line
  const described = selected === null ? undefined : line?.points[selected]

  return (
    <Panel title="Net worth">
      <div className="top apart">
        <Figures worth={worth} gain={gain} timeframe={shownTimeframe} />
        <Segmented
          label="Timeframe"
          options={TIMEFRAMES}
          value={timeframe}
          onChange={(next) => {
            setTimeframe(next)
            setSelected(null)
          }}
        />
      </div>
      <div className={`relative ${classes.plot}`} data-busy={query.isPlaceholderData}>
        <Fetched
          query={{ ...query, data: worth && points && { worth, points } }}
          failure="Could not load the history"
          skeleton={<Skeleton label="Loading net worth" width="100%" height="100%" />}
        >
          {(shown) =>
            line === null || isUntouched(shown.points, shown.worth) ? (
              <Notice level={3} emoji="🌑" title="No history yet">
                Your history starts with your first trade.
              </Notice>
            ) : (
              <WorthPlot
                line={line}
                label={describeLine({ ...line, ...gain }, shownTimeframe)}
                description={describePoint(described ?? line.points.at(-1))}
                selected={described === undefined ? null : selected}
                onSelect={setSelected}
              />
            )
          }
        </Fetched>
      </div>
      <p className="one-line small">{described === undefined ? <Span points={points} /> : describePoint(described)}</p>
    </Panel>
  )
}

/** Returns the net worth's history in a timeframe. Reads it again when an event affects the player. */
function usePast(timeframe: HistoryTimeframe, userId: UserId, moving: ReadonlySet<TokenId>) {
  const query = trpc.portfolio.history.useQuery(
    { timeframe },
    { placeholderData: (before) => before, staleTime: PAST_EVERY_MS },
  )
  useRefetchOn((event) => concernsHolder(event, userId, moving), query.refetch, PAST_EVERY_MS)
  return query
}

/** Returns the gain of the last 24 hours, which the portfolio screen also shows. Returns null while it is loading. */
function useDay(isShown: boolean, userId: UserId, moving: ReadonlySet<TokenId>): WorthGain | null {
  const { data, refetch } = trpc.portfolio.summary.useQuery(undefined, { enabled: isShown })
  useRefetchOn(
    (event) => isShown && concernsHolder(event, userId, moving),
    () => refetch({ cancelRefetch: false }),
  )
  return data === undefined ? null : { gain: data.profitLoss24h, gainPercent: data.profitLossPercent24h }
}

interface FiguresProps {
  readonly worth: NetWorth | undefined
  readonly gain: WorthGain | null
  readonly timeframe: HistoryTimeframe
}

function Figures({ worth, gain, timeframe }: FiguresProps) {
  return (
    <div>
      <Worth sol={worth?.netWorth} />
      <p className={`one-line flex wrap bold text-m gap-x-s baseline ${classes.gain}`}>
        {gain === null ? (
          <Skeleton width="14em" height="1em" />
        ) : (
          <>
            <Gain sol={gain.gain} /> <span className="dim regular">SOL</span> <Change percent={gain.gainPercent} />{' '}
            <span className="dim regular">{SPANS[timeframe]}</span>
          </>
        )}
      </p>
    </div>
  )
}

/** Shows the times of the first and the last point, and the time in the middle if there is space. */
function Span({ points }: { points: readonly WorthPoint[] | undefined }) {
  const [first, last] = [points?.[0], points?.at(-1)]
  const middleMs = (Date.parse(first?.time ?? '') + Date.parse(last?.time ?? '')) / 2
  return (
    <span className={`row stretch between ${classes.ends}`}>
      <span>{first && formatMoment(first.time)}</span>
      <span className={classes.middle}>{first && formatMoment(new Date(middleMs).toISOString())}</span>
      <span>now</span>
    </span>
  )
}

function describePoint(point: WorthPoint | undefined): string {
  if (point === undefined) return ''
  const { time, netWorth, balance } = point
  return `${formatMoment(time)}: ${formatSol(netWorth)} SOL, including a balance of ${formatSol(balance)} SOL`
}

function describeLine({ gain, gainPercent, lowest, highest }: WorthLine, timeframe: HistoryTimeframe): string {
  const [low, high] = [formatSol(lowest), formatSol(highest)]
  const percent = gainPercent === null ? NO_FIGURE : `${gainPercent}%`
  return `Net worth ${SPANS[timeframe]}: ${formatGain(gain)} SOL (${percent}), lowest ${low}, highest ${high} SOL`
}
