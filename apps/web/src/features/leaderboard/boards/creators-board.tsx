import { trpc } from '../../../lib/api/api.ts'
import { counted } from '../../../lib/format/counted.ts'
import { formatCount, formatSol } from '../../../lib/format/format.ts'
import { BoardPanel, PlayerRow, POLL_MS, SOL_SHOWN } from './board-panel.tsx'

export const useCreators = () => trpc.leaderboard.creators.useQuery(undefined, { refetchInterval: POLL_MS })

/** The creators whom others trust with the most SOL. */
export function CreatorsBoard({ query }: { query: ReturnType<typeof useCreators> }) {
  return (
    <BoardPanel
      title="Creators"
      about="SOL that other players have in a creator’s open tokens right now. The creator’s own and that of the largest single backer are left out."
      empty="No creator has several backers yet."
      query={query}
      renderEntry={(entry) => (
        <PlayerRow
          key={entry.userId}
          entry={entry}
          nameBeside={`launched ${formatCount(entry.launched)}, rugged ${entry.rugged === 0 ? 'none' : formatCount(entry.rugged)}`}
          figure={
            <span title={`${entry.backing} SOL`}>
              {formatSol(entry.backing, SOL_SHOWN)} <small>SOL</small>
            </span>
          }
          figureBeside={counted(entry.backers, 'backer')}
        />
      )}
    />
  )
}
