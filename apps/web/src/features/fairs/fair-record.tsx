import { Panel } from '../../components/layout/panel.tsx'
import { trpc, type UserId } from '../../lib/api/api.ts'
import { FairLink } from './fair-link.tsx'
import classes from './fairs.module.css'

const PLACES = 5

/** A player's medals, rating and best places in fairs; nothing for who was in none. */
export function FairRecord({ id }: { id: UserId }) {
  const { data } = trpc.fairs.record.useQuery({ userId: id })
  if (data === undefined || (data.rating === null && data.latest.length === 0)) return null
  const { gold, silver, bronze } = data.medals
  const best = [...data.latest].sort((a, b) => a.place - b.place).slice(0, PLACES)
  return (
    <Panel title="Fairs">
      <p className={classes.told}>
        <span role="img" aria-label={`${gold} gold, ${silver} silver, ${bronze} bronze medals`}>
          🥇 {gold} 🥈 {silver} 🥉 {bronze}
        </span>
        {data.rating !== null && (
          <>
            {' · '}rating <b>{data.rating}</b>
            {data.isProvisional && <span title="Fewer than ten ranked arenas">?</span>}
          </>
        )}
      </p>
      <ul className={classes.rows}>
        {best.map(({ fairId, name, place }) => (
          <li key={fairId} className={classes.row}>
            <span className={classes.place}>{place}</span>
            <span className={classes.grow}>
              <FairLink fair={{ id: fairId, name }} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
