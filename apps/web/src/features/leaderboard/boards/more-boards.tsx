import { SixHourRank } from '../../../components/ranks/six-hour-rank.tsx'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { AllTimeBoard } from './all-time-board.tsx'
import classes from './board-list.module.css'
import { BotsLeague } from './bots-league.tsx'
import { CreatorsBoard } from './creators-board.tsx'
import { RugBoard } from './rug-board.tsx'

/** What follows the Top 3: the viewer's own place and the other boards. */
export function MoreBoards() {
  const user = useCurrentUser()
  return (
    <div className={classes.boards}>
      {user !== null && <SixHourRank userId={user.id} title="Your place" hasLink={false} />}
      <AllTimeBoard />
      <CreatorsBoard />
      <RugBoard />
      <BotsLeague />
    </div>
  )
}
