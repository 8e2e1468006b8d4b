import { formatChange, formatCount, formatSol, getSign } from '@papermoon/format'
import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { EnterButton } from '../../../components/fairs/enter-button.tsx'
import { FairClock } from '../../../components/fairs/fair-clock.tsx'
import { Trend } from '../../../components/figures/change.tsx'
import { Gain } from '../../../components/figures/gain.tsx'
import { ButtonLink } from '../../../components/form/button.tsx'
import { formatOrdinal } from '../../../components/ranks/six-hour-rank.tsx'
import { type Fair, type League, type Tape, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { polled } from '../../../lib/api/query-client.ts'
import { getPhase, hasJoined } from '../../../lib/fairs/fair-time.ts'
import { chooseFair, useFairList } from '../../../lib/fairs/use-fair-list.ts'
import { counted } from '../../../lib/format/counted.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { concernsHolder, useRefetchOn } from '../../../lib/hooks/use-refetch-on.ts'
import { OVERLAP_MS } from '../../../lib/live/follow.ts'
import { readIntent } from '../../../lib/market/stored-intent.ts'
import { useDailyGame } from '../../../lib/market/use-daily-game.ts'
import { FirstTradeButton } from './first-trade-button.tsx'
import classes from './tonight-ticket.module.css'

const POLL_MS = 60_000
const LEAGUE_POLL_MS = 15_000

/**
 * Shows what the player can do today (the daily game, the next arena and the league), with a button for the next
 * action.
 */
export function TonightTicket() {
  const summary = useSummary()
  const league = trpc.fairs.league.useQuery(undefined, polled(LEAGUE_POLL_MS)).data
  const tape = useDailyGame().data
  const fairs = useFairList().data
  const fair = fairs && chooseFair(fairs)
  const next = fairs && tape && <NextButton fair={fair} tape={tape} />
  // A player who has just registered makes a first trade before everything else.
  const [isNew] = useState(() => readIntent()?.kind === 'first-trade')
  return (
    <section className={`p-s-m round-m on-raised grid edge middle gap-x-l ${classes.ticket}`} aria-label="Tonight">
      <h2 className={`text-xl ${classes.title}`}>Tonight</h2>
      <Cell label="Net worth in SOL" to="/portfolio">
        {summary && (
          <>
            {formatSol(summary.netWorth, 2)} <Gain sol={summary.profitLoss24h} decimals={2} />
          </>
        )}
      </Cell>
      <Cell label="Today’s tape" to="/tape">
        {tape && <TapeResult tape={tape} />}
      </Cell>
      {fair === undefined ? (
        <Cell label="Fairs" to="/fairs/{-$id}">
          {fairs && 'Make a room'}
        </Cell>
      ) : (
        <Cell
          label={fair.entrants === 0 ? fair.name : `${fair.name} · ${formatCount(fair.entrants)} in`}
          to="/fairs/{-$id}"
          params={{ id: String(fair.id) }}
        >
          <FairClock fair={fair} />
        </Cell>
      )}
      <Cell
        label={league ? `League, division ${league.division}` : 'League'}
        to="/leaderboard"
        hash="league"
        resetScroll={false}
      >
        {league && describePlace(league)}
      </Cell>
      <div className={`grid ${classes.act}`}>{isNew ? <FirstTradeButton fallback={next} /> : next}</div>
      <Link
        to="/leaderboard"
        hash="league"
        resetScroll={false}
        className={`small bare hover-underlined px-s ${classes.quests}`}
      >
        {league ? describeQuests(league) : ' '}
      </Link>
    </section>
  )
}

/** Returns the player's net worth, which the player's own trades update at once. */
function useSummary() {
  const userId = useCurrentUser()?.id
  const { data, refetch } = trpc.portfolio.summary.useQuery(undefined, {
    refetchInterval: POLL_MS,
    staleTime: OVERLAP_MS,
  })
  useRefetchOn((event) => userId !== undefined && concernsHolder(event, userId), refetch)
  return data
}

function Cell({ label, children, ...link }: LinkProps & { label: string; children: ReactNode }) {
  return (
    <Link className={`px-s round-s fit grid bare touch ${classes.cell}`} {...link}>
      <span className="small cut">{label}</span>
      <b className="cut">{children || ' '}</b>
    </Link>
  )
}

function TapeResult({ tape: { calendar, day, streak } }: { tape: Tape }) {
  const played = calendar.find((one) => one.day === day)
  if (played === undefined) return streak > 0 ? `Not played yet, streak of ${counted(streak, 'day')}` : 'Not played yet'
  return <Trend sign={getSign(played.percent)}>{formatChange(played.percent)}</Trend>
}

function describeQuests({ quests }: League): string {
  const done = quests.filter(({ isDone }) => isDone).length
  const next = quests.find(({ isDone }) => !isDone)
  const count = `Quests of the day: ${done} of ${quests.length}`
  return next === undefined ? count : `${count}. Next: ${next.text}`
}

function describePlace({ place, members }: League): string {
  if (place === null) return 'No points yet'
  return `${formatOrdinal(place)} of ${members.length}`
}

/** Links to the open arena, or else to the daily game. If the player has done both, the link leads to a quick arena. */
export function NextButton({ fair, tape }: { fair: Fair | undefined; tape: Tape }) {
  const nowMs = useNow()
  const phase = fair && getPhase(fair, nowMs)
  const isOpen =
    fair !== undefined && fair.kind !== 'cup' && (phase === 'lobby' || (phase === 'open' && fair.lateEntry))
  if (fair !== undefined && (hasJoined(fair) || (isOpen && fair.me === null)))
    return <EnterButton fair={fair} label="Enter the arena" />
  if (!tape.calendar.some(({ day }) => day === tape.day)) {
    return (
      <ButtonLink to="/tape" tall>
        Play today’s tape
      </ButtonLink>
    )
  }
  return (
    <ButtonLink to="/fairs/{-$id}" state={{ beginsQuick: true }} tall>
      Play a quick arena
    </ButtonLink>
  )
}
