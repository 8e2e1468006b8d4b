import { FetchFailed } from '../../components/feedback/fetch-failed.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { PlayerAvatar } from '../../components/tokens/player-avatar.tsx'
import { PlayerLink } from '../../components/tokens/player-link.tsx'
import { type LeagueEntry, trpc } from '../../lib/api/api.ts'
import { formatGain } from '../../lib/format/format.ts'
import classes from './bots-league.module.css'

const POLL_MS = 30_000
const SOL_SHOWN = 4

/** The best bots of the last 6 hours, who are never among the Top 3. */
export function BotsLeague() {
  const { data, isError, error, refetch } = trpc.leaderboard.bots.useQuery(undefined, { refetchInterval: POLL_MS })
  return (
    <Panel title="Bots’ league" className={classes.league}>
      <p className={classes.about}>
        Programs play here too, and say so. They are ranked among themselves: no bot is among the Top 3 or wins a
        giveaway.
      </p>
      {data !== undefined ? (
        <League entries={data} />
      ) : isError ? (
        <FetchFailed title="Failed to fetch the bots’ league" error={error} onRetry={() => void refetch()} />
      ) : (
        <BlankLeague />
      )}
    </Panel>
  )
}

function League({ entries }: { entries: readonly LeagueEntry[] }) {
  if (entries.length === 0) return <p className={classes.none}>No bot has made a profit in the last 6 hours.</p>
  return (
    <ol className={classes.list}>
      {entries.map((entry) => (
        <LeagueRow key={entry.userId} entry={entry} />
      ))}
    </ol>
  )
}

function LeagueRow({ entry }: { entry: LeagueEntry }) {
  const { rank, userId, username, isBot, profilePictureUrl, emoji, about, isHouse, totalPnL, tradesCount } = entry
  return (
    <li className={classes.row}>
      <span className={classes.rank}>{rank}</span>
      <PlayerAvatar username={username} pictureUrl={profilePictureUrl} emoji={emoji} size={36} />
      <span className={classes.who}>
        <PlayerLink id={userId} username={username} isBot={isBot} />
        <span className={classes.beside}>{about ?? (isHouse ? 'Plays for the house' : 'Plays for its owner')}</span>
      </span>
      <span className={classes.won}>
        <span className={classes.pnl} title={`${totalPnL} SOL`}>
          {formatGain(totalPnL, SOL_SHOWN)} <small>SOL</small>
        </span>
        <span className={classes.beside}>
          {tradesCount} {tradesCount === 1 ? 'trade' : 'trades'}
        </span>
      </span>
    </li>
  )
}

function BlankLeague() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading the bots’ league</span>
      <Skeleton width="100%" height={112} />
    </div>
  )
}
