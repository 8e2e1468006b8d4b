import { FetchFailed } from '../../../components/feedback/fetch-failed.tsx'
import { SixHourRank } from '../../../components/ranks/six-hour-rank.tsx'
import { cache } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { AllTimeBoard, useAllTime } from './all-time-board.tsx'
import classes from './board-list.module.css'
import { BotsLeague, useBots } from './bots-league.tsx'
import { CreatorsBoard, useCreators } from './creators-board.tsx'
import { RugBoard, useRugs } from './rug-board.tsx'

interface MoreBoardsProps {
  /** Whether the Top 3 shows an error with a retry that is for these boards, too. */
  readonly isReported: boolean
}

/** What follows the Top 3: the viewer's own place and the other boards. One alert where all boards fail. */
export function MoreBoards({ isReported }: MoreBoardsProps) {
  const user = useCurrentUser()
  const allTime = useAllTime()
  const creators = useCreators()
  const rugs = useRugs()
  const bots = useBots()
  const haveAllFailed = [allTime, creators, rugs, bots].every(({ data, isError }) => data === undefined && isError)
  if (haveAllFailed) {
    if (isReported) return null
    return (
      <FetchFailed
        title="Failed to fetch the other boards"
        error={allTime.error}
        onRetry={() => void cache.leaderboard.invalidate()}
      />
    )
  }
  return (
    <div className={classes.boards}>
      {user !== null && <SixHourRank userId={user.id} title="Your place" hasLink={false} />}
      <AllTimeBoard query={allTime} />
      <CreatorsBoard query={creators} />
      <RugBoard query={rugs} />
      <BotsLeague query={bots} />
    </div>
  )
}
