import { Link } from '@tanstack/react-router'
import { FairClock } from '../../components/fairs/fair-clock.tsx'
import { Ago } from '../../components/figures/moment.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { formatOrdinal } from '../../components/ranks/six-hour-rank.tsx'
import type { Fair } from '../../lib/api/api.ts'
import { describeSpan } from '../../lib/fairs/describe-span.ts'
import { hasJoined } from '../../lib/fairs/fair-time.ts'
import { useFairList } from '../../lib/fairs/use-fair-list.ts'
import { counted } from '../../lib/format/counted.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import classes from './fairs.module.css'

/** A list of fairs. Each row shows the fair's clock, or how long ago the fair ended. */
export function FairRows({ fairs }: { fairs: readonly Fair[] }) {
  const nowMs = useNow()
  return (
    <ul className="relative ruled">
      {fairs.map((fair) => (
        <li key={fair.id} className={`row py-s gap-m row-high ${classes.row}`}>
          <span className={`stack grow ${classes.grow}`}>
            <FairLink fair={fair} />
            <span className="small cut">{describeRow(fair, nowMs)}</span>
          </span>
          {fair.bellAt === null ? <FairClock fair={fair} /> : <Ago time={fair.bellAt} />}
        </li>
      ))}
    </ul>
  )
}

/**
 * Describes a fair's duration and number of players. After the fair's end, describes the player's own rank and the
 * winner.
 */
function describeRow(fair: Fair, nowMs: number): string {
  const { me, winner, entrants, note } = fair
  const place = me?.place
  const won = winner === undefined || place === 1 ? [] : [`won by ${winner}`]
  const result =
    place === undefined
      ? [counted(entrants, 'player'), ...(hasJoined(fair) ? ['you are not ranked'] : []), ...won].join(' · ')
      : [[formatOrdinal(place), ...won].join(', '), counted(entrants, 'player')].join(' · ')
  const plan = [
    counted(entrants, 'player'),
    describeSpan(fair, nowMs),
    ...(hasJoined(fair) ? ['you have entered'] : []),
  ]
  return [...(fair.bellAt === null ? plan : [result]), ...(note === null ? [] : [note])].join(' · ')
}

/** Lists the fairs that the player entered recently. Renders nothing if there are none. */
export function OwnFairs() {
  const { data } = useFairList()
  const fairs = data === undefined ? [] : [...data.running, ...data.upcoming, ...data.ended].filter(hasJoined)
  if (fairs.length === 0) return null
  return (
    <Panel title="Your fairs">
      <FairRows fairs={fairs} />
    </Panel>
  )
}

export function FairLink({ fair }: { fair: Pick<Fair, 'id' | 'name'> }) {
  return (
    <Link
      to="/fairs/{-$id}"
      params={{ id: String(fair.id) }}
      className="bold bare hover-underlined cut"
      title={fair.name}
    >
      {fair.name}
    </Link>
  )
}
