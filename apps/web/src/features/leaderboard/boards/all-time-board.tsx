import { PlayerAvatar } from '../../../components/tokens/player-avatar.tsx'
import { PlayerLink } from '../../../components/tokens/player-link.tsx'
import { trpc } from '../../../lib/api/api.ts'
import { formatGain } from '../../../lib/format/format.ts'
import { BoardPanel, BoardRow, formatCount } from './board-panel.tsx'

const POLL_MS = 60_000
const SOL_SHOWN = 4
const AVATAR_PX = 36

/** The largest profits over all time. */
export function AllTimeBoard() {
  const query = trpc.leaderboard.allTime.useQuery(undefined, { refetchInterval: POLL_MS })
  return (
    <BoardPanel
      title="All time"
      about="Every trade counts, the losses too. What a single other player paid for is left out, so a second account of one’s own helps nobody up here."
      empty="Nobody has a profit that several others paid for, yet."
      query={query}
      renderEntry={(entry) => (
        <BoardRow
          key={entry.userId}
          rank={entry.rank}
          picture={<PlayerAvatar username={entry.username} pictureUrl={entry.profilePictureUrl} size={AVATAR_PX} />}
          name={<PlayerLink id={entry.userId} username={entry.username} isBot={false} />}
          nameBeside={formatCount(entry.tradesCount, 'trade', 'trades')}
          figure={
            <span title={`${entry.totalPnL} SOL`}>
              {formatGain(entry.totalPnL, SOL_SHOWN)} <small>SOL</small>
            </span>
          }
          figureBeside="won"
        />
      )}
    />
  )
}
