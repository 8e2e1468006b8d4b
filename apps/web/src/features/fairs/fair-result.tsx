import { Decimal, solText } from '@papermoon/amm'
import { formatGain, formatSol } from '@papermoon/format'
import { useState } from 'react'
import { EnterButton } from '../../components/fairs/enter-button.tsx'
import { FairClock } from '../../components/fairs/fair-clock.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Gain } from '../../components/figures/gain.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { formatOrdinal } from '../../components/ranks/six-hour-rank.tsx'
import { type Fair, type FairEntrant, type FairRanking, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { getPhase } from '../../lib/fairs/fair-time.ts'
import { useFairList } from '../../lib/fairs/use-fair-list.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { copyWithToast } from '../../lib/ui/copy-text.ts'
import { shareCard } from '../../lib/ui/share-card.ts'
import { FairGain, nameMedal } from './fair-gain.tsx'
import classes from './fairs.module.css'

const FairReplay = lazyPart(() => import('./fair-replay.tsx'), 'FairReplay', <Skeleton height={420} />)

/** What came of a fair: the podium, the question whether to play again, and the player's own story. */
export function FairResult({ fair, ranking }: { fair: Fair; ranking: FairRanking | undefined }) {
  const [isReplayed, setReplayed] = useState(false)
  const best = ranking?.entrants.slice(0, 3).filter(({ isRanked }) => isRanked)
  const mine = ranking?.mine ?? null
  const user = useCurrentUser()
  const hasReplay =
    user !== null && fair.state === 'settled' && ranking?.entrants.some(({ trades }) => trades > 0) === true
  return (
    <>
      {best !== undefined && (
        <Panel
          title="The podium"
          aside={
            hasReplay &&
            !isReplayed && (
              <Button look="quiet" onClick={() => setReplayed(true)}>
                Watch the replay
              </Button>
            )
          }
        >
          <Podium fair={fair} best={best} />
        </Panel>
      )}
      {isReplayed && <FairReplay fair={fair} />}
      <Again fair={fair} />
      {mine !== null && <Story fair={fair} mine={mine} total={ranking?.total ?? 0} />}
    </>
  )
}

function Podium({ fair, best }: { fair: Fair; best: readonly FairEntrant[] }) {
  if (best.length === 0) return <p className="dim">Nobody is ranked, because nobody traded their stake in time.</p>
  const hasMedals = best.some(({ medal }) => medal !== null)
  return (
    <>
      <ol className={classes.podium}>
        {best.map(({ userId, username, isBot, score, medal }, index) => (
          <li key={userId} className={classes.step} data-step={index + 1}>
            <span className="visually-hidden">Rank {index + 1}</span>
            <span className={classes.medal} aria-hidden="true">
              {nameMedal(medal, index + 1)}
            </span>
            <b className={`${classes.name} cut`} title={username}>
              {username}
              {isBot && ' (bot)'}
            </b>
            <span title={`${score} SOL`}>{formatSol(score, 2)}</span>
            <FairGain score={score} stake={fair.stake} />
          </li>
        ))}
      </ol>
      {!hasMedals && fair.state === 'settled' && fair.kind !== 'room' && (
        <p className="dim">
          No medals this time. They need at least four ranked people who entered in the first third.
        </p>
      )}
    </>
  )
}

const CARD_WIDTH = 1_200
const CARD_HEIGHT = 630

function Story({ fair, mine, total }: { fair: Fair; mine: FairEntrant; total: number }) {
  const { data } = trpc.fairs.story.useQuery({ id: fair.id })
  const gain = formatGain(solText(new Decimal(mine.score).sub(fair.stake)), 2)
  const told = `${formatOrdinal(mine.place)} of ${total} in ${fair.name}: ${gain} SOL`
  // Nobody sees a picture of a room or of what does not count.
  const card =
    fair.state === 'settled' && fair.kind !== 'room' && fair.kind !== 'sandbox'
      ? `/og/fair/${fair.id}/${mine.userId}.png`
      : null
  const link = new URL(`/fairs/${fair.id}`, location.origin).href
  const share = () =>
    card === null
      ? copyWithToast(`${told}. ${link}`, 'Your result copied to clipboard', told)
      : shareCard({ path: card, name: `fair-${fair.id}.png`, text: `${told}. ${link}` })
  return (
    <Panel
      title="Your story"
      aside={
        <Button look="quiet" onClick={() => void share()}>
          {card === null ? 'Share the result' : 'Share the card'}
        </Button>
      }
    >
      <p className={classes.told}>
        You came <b>{formatOrdinal(mine.place)}</b> of {total}: <FairGain score={mine.score} stake={fair.stake} /> SOL.
        {!mine.isRanked && ' You are not ranked, because you did not trade your stake in time.'}
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
      {card !== null && (
        <img
          className={classes.card}
          src={card}
          width={CARD_WIDTH}
          height={CARD_HEIGHT}
          loading="lazy"
          alt={`Result card: ${mine.username}, ${told}`}
        />
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

/** One's rank over time; the first is on top. */
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
        aria-label={`Your rank over time: from ${places[0]} to ${places.at(-1)}, best ${Math.min(...places)}`}
      >
        <polyline points={points.join(' ')} />
      </svg>
      <figcaption className="dim">Your rank from the start to the bell</figcaption>
    </figure>
  )
}

/** The next fair of its kind, with the one question that is left. */
function Again({ fair }: { fair: Fair }) {
  const { data } = useFairList()
  const nowMs = useNow()
  const kind = fair.kind === 'season' ? 'season' : 'arena'
  const next = data && [...data.upcoming, ...data.running].find((other) => other.kind === kind && other.id !== fair.id)
  if (data === undefined) return null
  const isSoon = next === undefined || getPhase(next, nowMs) === 'soon'
  const season = data.running.find((other) => other.kind === 'season' && other.id !== fair.id)
  return (
    <section className={classes.again} aria-label="Next fair">
      <p>
        <b>Again?</b>{' '}
        {next === undefined ? (
          'No arena is planned.'
        ) : (
          <>
            {next.name} <FairClock fair={next} />
          </>
        )}
      </p>
      {!isSoon ? (
        <EnterButton fair={next} />
      ) : season !== undefined && season.me === null ? (
        <EnterButton fair={season} label="Play in the season until then" />
      ) : (
        <ButtonLink to="/fairs/{-$id}" params={{ id: undefined }} search={{ make: 'room' }}>
          {next === undefined ? 'Make a room' : 'Make a room until then'}
        </ButtonLink>
      )}
    </section>
  )
}
