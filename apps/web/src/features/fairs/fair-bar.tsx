import { formatSol } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { EnterButton } from '../../components/fairs/enter-button.tsx'
import { FairClock } from '../../components/fairs/fair-clock.tsx'
import { getReason } from '../../lib/api/failure.ts'
import { getPhase } from '../../lib/fairs/fair-time.ts'
import { useFair } from '../../lib/fairs/use-fair.ts'
import { useFairInHeader } from '../../lib/fairs/use-fair-in-header.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { FairAlarm } from './fair-alarm.tsx'
import { FairAnnouncer } from './fair-announcer.tsx'
import { FairGain } from './fair-gain.tsx'
import classes from './fairs.module.css'

/** A bar on the page of a fair's token, with the clock, the player's score and rank, and a link to the fair. */
export function FairBar({ id }: { id: number }) {
  const { fair, ranking, query } = useFair(id)
  const nowMs = useNow()
  useFairInHeader(fair)
  if (getReason(query.error) === 'FAIR_NOT_FOUND') {
    return (
      <p className="p-m-l round-m on-raised" role="alert">
        You left this room, or its host removed you. You cannot trade here any more.
      </p>
    )
  }
  if (fair === undefined)
    return (
      <div
        className={`daylight row ink mb-m px-m touch sticky nowrap gap-x-l phone-gap-s phone-px-s phone-s round-s ${classes.bar}`}
      />
    )
  const mine = ranking?.mine
  const phase = getPhase(fair, nowMs)
  return (
    <>
      <FairAnnouncer phase={phase} />
      <FairAlarm fair={fair} />
      <nav
        className={`daylight row ink mb-m px-m touch sticky nowrap gap-x-l phone-gap-s phone-px-s phone-s round-s ${classes.bar}`}
        aria-label="Fair"
      >
        <Link
          to="/fairs/{-$id}"
          params={{ id: String(id) }}
          className="row grow gap-s touch bold bare"
          title={fair.name}
        >
          <span aria-hidden="true">←</span> <span className="cut">{fair.name}</span>
        </Link>
        {phase === 'over' ? (
          <Link to="/fairs/{-$id}" params={{ id: String(id) }} className="touch row bold">
            See the results
          </Link>
        ) : (
          <FairClock fair={fair} />
        )}
        {fair.state === 'open' && <EnterButton fair={fair} isHere isSmall />}
        {mine != null && (
          <>
            <span title={`${mine.score} SOL`}>
              <span className="visually-hidden">Score </span>
              {formatSol(mine.score, 2)} <FairGain score={mine.score} stake={fair.stake} />
            </span>
            {mine.isRanked && (
              <b>
                <span className="visually-hidden">Rank </span>#{mine.place}
              </b>
            )}
          </>
        )}
      </nav>
    </>
  )
}
