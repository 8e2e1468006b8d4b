import { Link } from '@tanstack/react-router'
import { Ago } from '../../../components/figures/ago.tsx'
import { PlayerAvatar } from '../../../components/tokens/player-avatar.tsx'
import { PlayerLink } from '../../../components/tokens/player-link.tsx'
import { trpc } from '../../../lib/api/api.ts'
import { counted } from '../../../lib/format/counted.ts'
import { formatSol } from '../../../lib/format/format.ts'
import classes from './board-list.module.css'
import { AVATAR_PX, BoardPanel, BoardRow, POLL_MS, SOL_SHOWN } from './board-panel.tsx'

export const useRugs = () => trpc.leaderboard.rugs.useQuery(undefined, { refetchInterval: POLL_MS })

/** The rug pulls that took most; each leads to the moment it happened. */
export function RugBoard({ query }: { query: ReturnType<typeof useRugs> }) {
  return (
    <BoardPanel
      title="Rugs"
      about="What rug pulls took from other players. The creator’s own SOL and that of the largest single loser are left out."
      empty="No rug pull took from several others yet."
      query={query}
      renderEntry={(entry) => (
        <BoardRow
          key={entry.tokenId}
          rank={entry.rank}
          picture={<PlayerAvatar username={entry.tokenName} pictureUrl={null} emoji={entry.emoji} size={AVATAR_PX} />}
          name={
            <Link
              className={classes.token}
              to="/token/$id"
              params={{ id: String(entry.tokenId) }}
              search={{ at: entry.seq }}
              title={entry.tokenName}
            >
              {entry.tokenName}
            </Link>
          }
          nameBeside={
            <span className={classes.by}>
              <span>by</span>
              <PlayerLink id={entry.creator.userId} username={entry.creator.username} isBot={false} />
              <span className={classes.whole}>
                <Ago time={entry.ruggedAt} />
              </span>
            </span>
          }
          figure={
            <span title={`${entry.taken} SOL`}>
              {formatSol(entry.taken, SOL_SHOWN)} <small>SOL</small>
            </span>
          }
          figureBeside={counted(entry.holders, 'holder lost', 'holders lost')}
        />
      )}
    />
  )
}
