import { Link } from '@tanstack/react-router'
import { type LeaderboardRank, trpc, type UserId } from '../../lib/api/api.ts'
import { formatCount } from '../../lib/format/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { useRefetchOn } from '../../lib/hooks/use-refetch-on.ts'
import { concernsHolder } from '../../lib/live/concerns-holder.ts'
import { FetchFailed } from '../feedback/fetch-failed.tsx'
import { Skeleton } from '../feedback/skeleton.tsx'
import { Gain } from '../figures/gain.tsx'
import { Panel } from '../layout/panel.tsx'
import { formatCountdown, formatDistance, formatPlace } from './rank-text.ts'
import classes from './six-hour-rank.module.css'

/** The server computes ranks every 30 seconds. */
const POLL_MS = 30_000
const NONE: ReadonlySet<never> = new Set()

interface SixHourRankProps {
  readonly userId: UserId
  readonly title: string
  /** Whether to link to the leaderboard. */
  readonly hasLink?: boolean
}

/** A player's place on the six-hour board, and the time until the current giveaway window ends. */
export function SixHourRank({ userId, title, hasLink = true }: SixHourRankProps) {
  const { data, isError, error, refetch } = trpc.leaderboard.rank.useQuery({ userId }, { refetchInterval: POLL_MS })
  useRefetchOn({ concerns: (event) => concernsHolder(event, userId, NONE), refetch, everyMs: POLL_MS })
  return (
    <Panel
      title={title}
      aside={
        hasLink && (
          <Link className={classes.board} to="/leaderboard">
            Leaderboard
          </Link>
        )
      }
    >
      {data === undefined && isError ? (
        <FetchFailed level={3} title="The rank did not come" error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={classes.rank}>
          <p className={classes.place} data-medal={data?.rank != null && data.rank <= 3 ? data.rank : undefined}>
            {data === undefined ? <Skeleton width="5em" height="1em" /> : <Place rank={data} />}
          </p>
          <p className={classes.distance}>
            {data === undefined ? <Skeleton width="14em" height="1em" /> : <Distance rank={data} />}
          </p>
          <p className={classes.countdown}>
            {data === undefined ? <Skeleton width="18em" height="1em" /> : <Countdown giveaway={data.giveaway} />}
          </p>
        </div>
      )}
    </Panel>
  )
}

function Place({ rank }: { rank: LeaderboardRank }) {
  return (
    <>
      <strong>{formatPlace(rank)}</strong>{' '}
      {rank.rank !== null && <small>of {formatCount(rank.players)} with a profit</small>}
    </>
  )
}

function Distance({ rank }: { rank: LeaderboardRank }) {
  return (
    <>
      {rank.totalPnL !== null ? (
        <>
          <Gain sol={rank.totalPnL} /> SOL in the last 6 hours,{' '}
        </>
      ) : (
        rank.isRanked && 'In the last 6 hours: '
      )}
      <span title={rank.behindBronze === null ? undefined : `${rank.behindBronze} SOL`}>{formatDistance(rank)}</span>
    </>
  )
}

/** A component of its own because it renders every second. */
function Countdown({ giveaway }: Pick<LeaderboardRank, 'giveaway'>) {
  const now = useNow()
  return (
    <span title="Giveaways go to the winners of fixed six hours: 00, 06, 12 and 18 h UTC. The board shows the last six hours at any moment.">
      This giveaway window ({toHour(giveaway.since)}–{toHour(giveaway.until)} UTC) ends in{' '}
      <span className={classes.time}>{formatCountdown(giveaway.until, now)}</span>. Ranks are updated every 30 seconds.
    </span>
  )
}

function toHour(time: string): string {
  return time.slice(11, 16)
}
