import { LEAGUE_POINTS } from '@papermoon/contract/fair-tokens'
import { formatCount } from '@papermoon/format'
import { Fragment, useEffect, useRef } from 'react'
import { Fetched } from '../../../components/feedback/fetched.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { formatOrdinal } from '../../../components/ranks/six-hour-rank.tsx'
import { type League, trpc } from '../../../lib/api/api.ts'
import { polled } from '../../../lib/api/query-client.ts'
import { toClock } from '../../../lib/fairs/fair-time.ts'
import { counted } from '../../../lib/format/counted.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { PlayerRow } from './board-panel.tsx'

const POLL_MS = 15_000

/** Shows the player's group in the league, and the quests. If the URL names it, the page scrolls to it. */
export function LeaguePanel({ isSought }: { isSought: boolean }) {
  const query = trpc.fairs.league.useQuery(undefined, polled(POLL_MS))
  const { data } = query
  const heading = useRef<HTMLHeadingElement>(null)
  const isLoaded = data !== undefined
  useEffect(() => {
    if (!isSought || !isLoaded) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.closest('section')?.scrollIntoView()
  }, [isSought, isLoaded])
  return (
    <Panel heading={heading} title={data === undefined ? 'League' : `League, division ${data.division}`}>
      <p className="dim">
        Everyone starts the week with 0 points. Points come from your best five arenas of each day (up to 10 each), the
        tape ({LEAGUE_POINTS.tape}, or {LEAGUE_POINTS.tapeGain} with a gain) and the day’s quests ({LEAGUE_POINTS.quest}{' '}
        each). Wealth does not count.
      </p>
      <Fetched
        query={query}
        failure="Could not load the league"
        skeleton={<Skeleton label="Loading the league" height={420} />}
      >
        {(league) => <Group league={league} />}
      </Fetched>
    </Panel>
  )
}

function Group({ league }: { league: League }) {
  const { division, members, place, last, quests, rising, falling, endsAt } = league
  const leftMs = Date.parse(endsAt) - useNow()
  return (
    <>
      <h3 className="text-m" id="quests">
        Quests of the day
      </h3>
      <p className="dim">Only what you do outside fairs counts, except for quests about arenas.</p>
      <ul className="stack gap-xs" aria-labelledby="quests">
        {quests.map(({ id, text, isDone }) => (
          <li key={id} className={`row gap-s baseline ${isDone ? 'dim' : ''}`}>
            <span aria-hidden="true">{isDone ? '✅' : '⬜'}</span>
            <span>
              {text}
              <span className="visually-hidden">{isDone ? ' (done)' : ' (not done yet)'}</span>
            </span>
          </li>
        ))}
      </ul>
      {last !== null && <p>{describeLast(last)}</p>}
      <p>
        {leftMs > 0 ? `The week ends in ${toClock(leftMs)}.` : 'The week is over. The results come in a minute.'}{' '}
        {place === null ? 'With your first points, you join this group.' : describeWay(league, place)}
      </p>
      <ol>
        {members.map((member, index) => (
          <Fragment key={member.userId}>
            {index === members.length - falling && index >= rising && (
              <li className="py-s accent bold text-center">
                ▼ The last {formatCount(falling)} fall to division {division + 1}
              </li>
            )}
            <PlayerRow
              entry={{ ...member, rank: member.place }}
              isOwn={member.place === place}
              nameBeside={member.emoji === null ? null : 'House bot'}
              figure={formatCount(member.points)}
              figureBeside={member.points === 1 ? 'point' : 'points'}
            />
            {index === rising - 1 && (
              <li className="py-s accent bold text-center">
                ▲ The best {formatCount(rising)} rise to division {division - 1}
              </li>
            )}
          </Fragment>
        ))}
      </ol>
    </>
  )
}

/** Says how many points a player needs for a place among those who rise, or that the player has such a place. */
function describeWay({ members, rising, division }: League, place: number): string {
  const own = members[place - 1]
  const last = members[rising - 1]
  if (own === undefined || last === undefined) return ''
  const result = `rise to division ${division - 1}`
  if (place <= rising && own.points > 0) return `If it ended now, you would ${result}.`
  return `With ${counted(last.points - own.points + 1, 'more point')}, you would ${result} now.`
}

function describeLast({ division, place, nextDivision }: NonNullable<League['last']>): string {
  const result = `Last week, you finished ${formatOrdinal(place)} in division ${division}`
  if (nextDivision === division) return `${result}. You stay in this division.`
  return nextDivision < division
    ? `${result}. You rose to division ${nextDivision}.`
    : `${result}. You fell to division ${nextDivision}.`
}
