import { trpc } from '../../../lib/api/api.ts'
import { counted } from '../../../lib/format/counted.ts'
import { formatGain } from '../../../lib/format/format.ts'
import { BoardPanel, PlayerRow, POLL_MS, SOL_SHOWN } from './board-panel.tsx'

export const useAllTime = () => trpc.leaderboard.allTime.useQuery(undefined, { refetchInterval: POLL_MS })

/** The largest profits over all time. */
export function AllTimeBoard({ query }: { query: ReturnType<typeof useAllTime> }) {
  return (
    <BoardPanel
      title="All time"
      about="Every trade counts, the losses too. What a single other player paid for is left out, so a second account of one’s own helps nobody up here."
      empty="Nobody has a profit that several others paid for, yet."
      query={query}
      renderEntry={(entry) => (
        <PlayerRow
          key={entry.userId}
          entry={entry}
          nameBeside={counted(entry.tradesCount, 'trade')}
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
