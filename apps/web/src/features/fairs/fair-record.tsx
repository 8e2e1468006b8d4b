import { Ago } from '../../components/figures/moment.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { formatOrdinal } from '../../components/ranks/six-hour-rank.tsx'
import { trpc, type UserId } from '../../lib/api/api.ts'
import { nameMedal } from './fair-gain.tsx'
import { FairLink } from './fair-rows.tsx'
import classes from './fairs.module.css'

const PLACES = 5

/**
 * Shows a player's medals, rating and best ranks in fairs. Renders nothing for a player who was never ranked in a fair.
 */
export function FairRecord({ id }: { id: UserId }) {
  const { data } = trpc.fairs.record.useQuery({ userId: id })
  if (data === undefined || (data.rating === null && data.latest.length === 0)) return null
  const { gold, silver, bronze, paper } = data.medals
  const best = [...data.latest].sort((a, b) => a.place - b.place).slice(0, PLACES)
  const hasMedal = gold + silver + bronze + paper > 0
  return (
    <Panel title="Fairs" className="mb-l">
      <p>
        {hasMedal ? (
          <span role="img" aria-label={`Medals: ${gold} gold, ${silver} silver, ${bronze} bronze, ${paper} paper`}>
            🥇 {gold} 🥈 {silver} 🥉 {bronze} 🏵️ {paper}
          </span>
        ) : (
          'No medal yet'
        )}
        {data.rating !== null && (
          <>
            {' · '}rating <b>{data.rating}</b>
            {data.isProvisional && ` (provisional until you have played 10 hourly arenas, ${data.arenas} so far)`}
          </>
        )}
      </p>
      <ul className="relative ruled">
        {best.map(({ fairId, name, endedAt, ...result }) => (
          <li key={fairId} className="row py-s gap-m row-high">
            <span className={`fixed dim bold text-center ${classes.place}`}>{nameMedal(result)}</span>
            <span className="stack grow">
              <FairLink fair={{ id: fairId, name }} />
              <span className="small cut">
                {formatOrdinal(result.place)} · <Ago time={endedAt} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
