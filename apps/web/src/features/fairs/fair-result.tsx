import { formatSol } from '@papermoon/format'
import { EnterButton } from '../../components/fairs/enter-button.tsx'
import { FairClock } from '../../components/fairs/fair-clock.tsx'
import { Gain } from '../../components/figures/gain.tsx'
import { Button } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { type Fair, type FairEntrant, type FairRanking, trpc } from '../../lib/api/api.ts'
import { useFairList } from '../../lib/fairs/use-fair-list.ts'
import { copyWithToast } from '../../lib/ui/copy-text.ts'
import { FairGain } from './fair-gain.tsx'
import classes from './fairs.module.css'

/** What came of a fair: the podium, one's own story, and the question whether to play again. */
export function FairResult({ fair, ranking }: { fair: Fair; ranking: FairRanking | undefined }) {
  const best = ranking?.entrants.slice(0, 3) ?? []
  const mine = ranking?.mine ?? null
  return (
    <>
      {best.length > 0 && <Podium fair={fair} best={best} />}
      {mine !== null && <Story fair={fair} mine={mine} total={ranking?.total ?? 0} />}
      <Again fair={fair} />
    </>
  )
}

const MEDALS = ['🥇', '🥈', '🥉'] as const

function Podium({ fair, best }: { fair: Fair; best: readonly FairEntrant[] }) {
  const hasMedals = best.some(({ medal }) => medal !== null)
  return (
    <Panel title="The podium">
      <ol className={classes.podium}>
        {best.map(({ userId, username, isBot, standing, medal }, index) => (
          <li key={userId} className={classes.step} data-step={index + 1}>
            <span className={classes.medal} aria-hidden="true">
              {medal === null ? index + 1 : MEDALS[medal - 1]}
            </span>
            <b className={classes.name} title={username}>
              {username}
              {isBot && ' (bot)'}
            </b>
            <span>{formatSol(standing, 2)} SOL</span>
            <FairGain standing={standing} stake={fair.stake} />
          </li>
        ))}
      </ol>
      {!hasMedals && fair.state === 'settled' && fair.kind !== 'room' && (
        <p className={classes.dim}>No medals this time: they need four players who traded their stake.</p>
      )}
    </Panel>
  )
}

function Story({ fair, mine, total }: { fair: Fair; mine: FairEntrant; total: number }) {
  const { data } = trpc.fairs.story.useQuery({ id: fair.id })
  const told = `I came ${toOrdinal(mine.place)} of ${total} in ${fair.name} on Papermoon.`
  const share = () =>
    copyWithToast(
      `${told} ${new URL(`/fairs/${fair.id}`, location.origin).href}`,
      'Your result copied to clipboard',
      told,
    )
  return (
    <Panel
      title="Your story"
      aside={
        <Button look="quiet" onClick={() => void share()}>
          Share it
        </Button>
      }
    >
      <p className={classes.told}>
        You came <b>{toOrdinal(mine.place)}</b> of {total}: <FairGain standing={mine.standing} stake={fair.stake} /> SOL
        {!mine.isRanked && ', not ranked: you did not trade your stake in time'}.
      </p>
      {data !== undefined && (
        <dl className={classes.story}>
          <StoryTrade label="Best" trade={data.best} />
          <StoryTrade label="Worst" trade={data.worst} />
          <dt>Trades</dt>
          <dd>{data.trades}</dd>
        </dl>
      )}
      {data !== undefined && data.ranks.length > 1 && (
        <RankLine places={data.ranks.map(({ place }) => place)} total={total} />
      )}
    </Panel>
  )
}

interface StoryTradeProps {
  readonly label: string
  readonly trade: {
    readonly token: { readonly symbol: string; readonly emoji: string }
    readonly profit: string
  } | null
}

function StoryTrade({ label, trade }: StoryTradeProps) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {trade === null ? (
          'none'
        ) : (
          <>
            {trade.token.emoji} {trade.token.symbol} <Gain sol={trade.profit} />
          </>
        )}
      </dd>
    </>
  )
}

/** One's place over time; the first place is on top. */
function RankLine({ places, total }: { places: readonly number[]; total: number }) {
  const last = Math.max(total, ...places, 2)
  const points = places.map(
    (place, index) => `${(index / (places.length - 1)) * 100},${((place - 1) / (last - 1)) * 100}`,
  )
  return (
    <figure className={classes.ranks}>
      <svg
        viewBox="0 -4 100 108"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Your place over time: from ${places[0]} to ${places.at(-1)}, the best ${Math.min(...places)}`}
      >
        <polyline points={points.join(' ')} />
      </svg>
      <figcaption className={classes.dim}>Your place, from the opening to the bell</figcaption>
    </figure>
  )
}

/** The next fair of its kind, with the one question that is left. */
function Again({ fair }: { fair: Fair }) {
  const { data } = useFairList()
  const kind = fair.kind === 'season' ? 'season' : 'arena'
  const next = data && [...data.upcoming, ...data.running].find((other) => other.kind === kind && other.id !== fair.id)
  if (next === undefined) return null
  return (
    <section className={classes.again} aria-label="The next one">
      <p>
        <b>Again?</b> {next.name} <FairClock fair={next} />
      </p>
      <EnterButton fair={next} />
    </section>
  )
}

function toOrdinal(place: number): string {
  const tens = place % 100
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')
  return `${place}${ending}`
}
