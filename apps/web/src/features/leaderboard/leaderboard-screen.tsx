import { Fetched } from '../../components/feedback/fetched.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { cache, trpc, type Winner } from '../../lib/api/api.ts'
import { polled } from '../../lib/api/query-client.ts'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { useRefetchOn } from '../../lib/hooks/use-refetch-on.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { BlankWinners, LeaderboardFrame } from './leaderboard-frame.tsx'
import { WinnerRow } from './winner-row.tsx'

/** Load these leaderboards lazily, because they are below the winners and must not delay them. */
const MoreBoards = lazyPart(() => import('./boards/more-boards.tsx'), 'MoreBoards')
const POLL_MS = 30_000
/** Min time between two reads after trades, in ms. The server computes the winners only every 30 seconds. */
const NEWS_EVERY_MS = 5_000

export function LeaderboardScreen() {
  const { data, isError, error, refetch } = trpc.leaderboard.get.useQuery(undefined, polled(POLL_MS))
  useRefetchOn(() => true, refetch, NEWS_EVERY_MS)
  useTitle('Leaderboard')
  return (
    <LeaderboardFrame after={<MoreBoards isReported={data === undefined && isError} />}>
      <Fetched
        level={2}
        query={{ data, isError, error, refetch: () => cache.leaderboard.invalidate() }}
        failure="Failed to fetch leaderboard"
        skeleton={<BlankWinners />}
      >
        {(winners) => <Winners winners={winners} />}
      </Fetched>
    </LeaderboardFrame>
  )
}

function Winners({ winners }: { winners: readonly Winner[] }) {
  if (winners.length === 0) {
    return (
      <Panel
        title="No Winners Yet"
        aside={
          <ButtonLink to="/" look="quiet">
            Find a token to trade
          </ButtonLink>
        }
      >
        <p className="dim">Be the first to make profitable trades in the last 6 hours!</p>
      </Panel>
    )
  }
  return (
    <ol className="stack gap-m">
      {winners.map((winner, index) => (
        <WinnerRow key={winner.userId} winner={winner} index={index} />
      ))}
    </ol>
  )
}
