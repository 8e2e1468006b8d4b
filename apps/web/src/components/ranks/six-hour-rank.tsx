import { formatCount, formatSol, getSign } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { type LeaderboardRank, trpc, type UserId } from '../../lib/api/api.ts'
import { polled } from '../../lib/api/query-client.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { concernsHolder, useRefetchOn } from '../../lib/hooks/use-refetch-on.ts'
import { UnlessFailed } from '../feedback/fetched.tsx'
import { Skeleton } from '../feedback/skeleton.tsx'
import { Gain } from '../figures/gain.tsx'
import { NotCounted } from '../figures/not-counted.tsx'
import { Panel } from '../layout/panel.tsx'

/** Time between two reads in ms. The server computes ranks every 30 seconds. */
const POLL_MS = 30_000
const ONE_PLAYER = 'Rug pulls do not count, because a player could pay for one with a second account.'
/** Text that explains to players how the API computes `flowProfit`. */
const COUNTED =
  'Only the last 6 hours count. A profit counts when the tokens are sold, and a loss counts immediately. Tokens bought earlier count when they are sold, compared with their value 6 hours ago.'

interface SixHourRankProps {
  readonly userId: UserId
  readonly title: string
  readonly hasLink?: boolean
}

/** A player's rank on the six-hour board, and the time until the current giveaway window ends. */
export function SixHourRank({ userId, title, hasLink = true }: SixHourRankProps) {
  const query = trpc.leaderboard.rank.useQuery({ userId }, polled(POLL_MS))
  const { data } = query
  useRefetchOn((event) => concernsHolder(event, userId), query.refetch, POLL_MS)
  return (
    <Panel
      title={title}
      aside={
        hasLink && (
          <Link className="text-s inline-block py-s" to="/leaderboard">
            Leaderboard
          </Link>
        )
      }
    >
      <UnlessFailed query={query} failure="Could not load the rank">
        <div>
          <p className="text-2xl tight one-line">
            {data === undefined ? <Skeleton width="5em" height="1em" /> : <Place rank={data} />}
          </p>
          <p className="mt-xs one-line">
            {data === undefined ? <Skeleton width="14em" height="1em" /> : <Distance rank={data} />}
          </p>
          {data?.notCounted != null && (
            <NotCounted
              parts={[
                { sol: data.notCounted.rugs, from: 'rug pulls' },
                { sol: data.notCounted.unsold, from: 'unsold tokens' },
                { sol: data.notCounted.launchFees, from: 'launch fees' },
              ]}
              why={getSign(data.notCounted.rugs) === 0 ? '' : ONE_PLAYER}
            />
          )}
          <p className="mt-xs one-line small">
            {data === undefined ? <Skeleton width="18em" height="1em" /> : <Countdown giveaway={data.giveaway} />}
          </p>
          {data?.isRanked !== false && (
            <details className="mt-xs small">
              <summary className="py-s hover-ink">How do trades count?</summary>
              {COUNTED} Ranks are updated every 30 seconds.
            </details>
          )}
        </div>
      </UnlessFailed>
    </Panel>
  )
}

function Place({ rank }: { rank: LeaderboardRank }) {
  return (
    <>
      <strong className={`heavy ${rank.rank !== null && rank.rank <= 3 ? 'accent' : ''}`}>{formatPlace(rank)}</strong>{' '}
      {rank.rank !== null && <small>{describeField(rank.players)}</small>}
    </>
  )
}

function describeField(players: number): string {
  return players === 1 ? 'the only player with a profit' : `of ${formatCount(players)} players with a profit`
}

function Distance({ rank }: { rank: LeaderboardRank }) {
  return (
    <>
      {rank.totalPnL !== null && (
        <>
          Result of the last 6 hours: <Gain sol={rank.totalPnL} /> SOL.{' '}
        </>
      )}
      <span title={rank.behindBronze === null ? undefined : `${rank.behindBronze} SOL`}>{formatDistance(rank)}</span>
    </>
  )
}

/** The clock is a separate component, because it renders every second. */
function Countdown({ giveaway }: Pick<LeaderboardRank, 'giveaway'>) {
  const now = useNow()
  return (
    <span title="Giveaways go to the winners of fixed six-hour windows that start at 00:00, 06:00, 12:00 and 18:00 UTC. The leaderboard always shows the last six hours.">
      This giveaway window ({toHour(giveaway.since)}–{toHour(giveaway.until)} UTC) ends in{' '}
      <span className="nowrap">{formatCountdown(giveaway.until, now)}</span>.
    </span>
  )
}

function toHour(time: string): string {
  return time.slice(11, 16)
}

const SOL_SHOWN = 4
const WINDOW_MS = 6 * 3_600_000
const SUFFIXES: Partial<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' }

/**
 * Formats a rank: `1st`, `22nd`, `1,113th`. The function does not use `Intl.PluralRules`, because its first use takes
 * more than 10 ms during a page's start.
 */
export function formatOrdinal(rank: number): string {
  const isTeen = Math.floor((rank % 100) / 10) === 1
  return `${formatCount(rank)}${(isTeen ? undefined : SUFFIXES[rank % 10]) ?? 'th'}`
}

export function formatPlace({ isRanked, rank, totalPnL }: LeaderboardRank): string {
  if (rank !== null) return formatOrdinal(rank)
  if (!isRanked) return 'Not ranked'
  return totalPnL === null ? 'No trades' : 'Not ranked'
}

/** Describes how far a rank is from a medal, or how large a medal winner's lead is. */
export function formatDistance({ isRanked, rank, lead, behindBronze }: LeaderboardRank): string {
  if (!isRanked) return 'Bots have their own league.'
  if (lead !== null) return `${formatSol(lead, SOL_SHOWN)} SOL ahead of the next rank.`
  if (behindBronze !== null) return `${formatSol(behindBronze, SOL_SHOWN)} SOL behind the bronze medal.`
  return rank === null ? 'Right now, any profit is enough for a medal.' : 'Nobody is ranked below yet.'
}

/** Formats the time until a giveaway window ends and the next one begins: `2 h 05 min 09 s`. */
export function formatCountdown(until: string, nowMs: number): string {
  const leftMs = Date.parse(until) - nowMs
  const seconds = Math.ceil((((leftMs % WINDOW_MS) + WINDOW_MS) % WINDOW_MS || WINDOW_MS) / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  return `${hours} h ${pad(minutes)} min ${pad(seconds % 60)} s`
}

function pad(count: number): string {
  return String(count).padStart(2, '0')
}
