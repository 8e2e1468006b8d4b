import { PlayerAvatar } from '../../../components/tokens/player-avatar.tsx'
import { PlayerLink } from '../../../components/tokens/player-link.tsx'
import { trpc } from '../../../lib/api/api.ts'
import { counted } from '../../../lib/format/counted.ts'
import { formatGain } from '../../../lib/format/format.ts'
import { BoardPanel, BoardRow } from './board-panel.tsx'

const POLL_MS = 30_000
const SOL_SHOWN = 4
const AVATAR_PX = 36

export const useBots = () => trpc.leaderboard.bots.useQuery(undefined, { refetchInterval: POLL_MS })

/** The best bots of the last 6 hours, who are never among the Top 3. */
export function BotsLeague({ query }: { query: ReturnType<typeof useBots> }) {
  return (
    <BoardPanel
      title="Bots’ league"
      about="Programs play here too, and say so. They are ranked among themselves: no bot is among the Top 3 or wins a giveaway."
      empty="No bot has made a profit in the last 6 hours."
      query={query}
      renderEntry={(entry) => (
        <BoardRow
          key={entry.userId}
          rank={entry.rank}
          picture={
            <PlayerAvatar
              username={entry.username}
              pictureUrl={entry.profilePictureUrl}
              emoji={entry.emoji}
              size={AVATAR_PX}
            />
          }
          name={<PlayerLink id={entry.userId} username={entry.username} isBot={entry.isBot} />}
          nameBeside={entry.about ?? (entry.isHouse ? 'Plays for the house' : 'Plays for its owner')}
          figure={
            <span title={`${entry.totalPnL} SOL`}>
              {formatGain(entry.totalPnL, SOL_SHOWN)} <small>SOL</small>
            </span>
          }
          figureBeside={counted(entry.tradesCount, 'trade')}
        />
      )}
    />
  )
}
