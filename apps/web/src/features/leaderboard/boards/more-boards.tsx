import type { AppOutputs } from '@papermoon/contract/router'
import { formatCount, formatGain } from '@papermoon/format'
import { Link, useLocation } from '@tanstack/react-router'
import { UnlessFailed } from '../../../components/feedback/fetched.tsx'
import { Ago } from '../../../components/figures/moment.tsx'
import { Sol } from '../../../components/figures/sol.tsx'
import { SixHourRank } from '../../../components/ranks/six-hour-rank.tsx'
import { PlayerAvatar } from '../../../components/tokens/player-avatar.tsx'
import { PlayerLink } from '../../../components/tokens/player-link.tsx'
import { cache, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { polled } from '../../../lib/api/query-client.ts'
import { counted } from '../../../lib/format/counted.ts'
import classes from './board-list.module.css'
import { AVATAR_PX, BoardPanel, BoardRow, PlayerRow, POLL_MS, SOL_SHOWN } from './board-panel.tsx'
import { LeaguePanel } from './league-panel.tsx'

interface MoreBoardsProps {
  /** Whether the Top 3 already shows an error, with a retry button that also reloads these leaderboards. */
  readonly isReported: boolean
}

const BOTS_POLL_MS = 30_000

/** The leaderboards after the Top 3, with the visitor's own rank. If all leaderboards fail, there is only one alert. */
export function MoreBoards({ isReported }: MoreBoardsProps) {
  const user = useCurrentUser()
  const hash = useLocation({ select: ({ hash }) => hash })
  const allTime = trpc.leaderboard.allTime.useQuery(undefined, polled(POLL_MS))
  const creators = trpc.leaderboard.creators.useQuery(undefined, polled(POLL_MS))
  const rugs = trpc.leaderboard.rugs.useQuery(undefined, polled(POLL_MS))
  const bots = trpc.leaderboard.bots.useQuery(undefined, polled(BOTS_POLL_MS))
  const loaded = [allTime, creators, rugs, bots].find(({ data, isError }) => data !== undefined || !isError)
  if (loaded === undefined) {
    if (isReported) return null
    const query = { ...allTime, refetch: () => cache.leaderboard.invalidate() }
    return <UnlessFailed level={2} query={query} failure="Could not load the other leaderboards" />
  }
  return (
    <div className="stack gap-l mt-xl">
      {user !== null && <LeaguePanel key={hash} isSought={hash === 'league'} />}
      {user !== null && <SixHourRank userId={user.id} title="Your rank" hasLink={false} />}
      <BoardPanel
        title="All time"
        about="All trades count, including losses. For each token, we leave out the profit that came from the player who paid the most, so trading with your own second account does not help."
        query={allTime}
        renderEntry={(entry) => (
          <PlayerRow
            key={entry.userId}
            entry={entry}
            nameBeside={counted(entry.tradesCount, 'trade')}
            figure={<Won sol={entry.totalPnL} />}
            figureBeside="won"
          />
        )}
      />
      <BoardPanel
        title="Creators"
        about="The SOL that other players currently have in a creator’s open tokens. The creator and the largest single backer do not count."
        query={creators}
        renderEntry={(entry) => (
          <PlayerRow
            key={entry.userId}
            entry={entry}
            nameBeside={`Tokens launched: ${formatCount(entry.launched)}, rugged: ${formatCount(entry.rugged)}`}
            figure={<Sol value={entry.backing} digits={SOL_SHOWN} hasUnit />}
            figureBeside={counted(entry.backers, 'backer')}
          />
        )}
      />
      <BoardPanel
        title="Rugs"
        about="The SOL that rug pulls took from other players. The creator and the largest single loser do not count."
        query={rugs}
        renderEntry={(entry) => <RugRow key={entry.tokenId} entry={entry} />}
      />
      <BoardPanel
        title="Bots’ league"
        about="Bots have their own ranking. No bot can be in the Top 3 or win a giveaway."
        query={bots}
        renderEntry={(entry) => (
          <PlayerRow
            key={entry.userId}
            entry={entry}
            nameBeside={entry.about ?? (entry.isHouse ? 'Run by the house' : 'Run by a player')}
            figure={<Won sol={entry.totalPnL} />}
            figureBeside={counted(entry.tradesCount, 'trade')}
          />
        )}
      />
    </div>
  )
}

function Won({ sol }: { sol: string }) {
  return (
    <span title={`${sol} SOL`}>
      {formatGain(sol, SOL_SHOWN)} <small>SOL</small>
    </span>
  )
}

function RugRow({ entry }: { entry: AppOutputs['leaderboard']['rugs'][number] }) {
  return (
    <BoardRow
      rank={entry.rank}
      picture={<PlayerAvatar username={entry.tokenName} pictureUrl={null} emoji={entry.emoji} size={AVATAR_PX} />}
      name={
        <Link
          className="cut bounded bold"
          to="/token/$id"
          params={{ id: String(entry.tokenId) }}
          search={{ at: entry.seq }}
          title={entry.tokenName}
        >
          {entry.tokenName}
        </Link>
      }
      nameBeside={
        <span className={`row stretch gap-x-s wrap fit ${classes.by}`}>
          <span>by</span>
          <PlayerLink id={entry.creator.userId} username={entry.creator.username} isBot={false} />
          <span className="nowrap">
            <Ago time={entry.ruggedAt} />
          </span>
        </span>
      }
      figure={<Sol value={entry.taken} digits={SOL_SHOWN} hasUnit />}
      figureBeside={counted(entry.holders, 'holder lost SOL', 'holders lost SOL')}
    />
  )
}
