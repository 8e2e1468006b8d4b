import { Decimal, solText } from '@papermoon/amm'
import { QUICK_RATING_MAX } from '@papermoon/contract/fair-tokens'
import { formatCount, formatGain } from '@papermoon/format'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { EnterButton } from '../../components/fairs/enter-button.tsx'
import { FairClock } from '../../components/fairs/fair-clock.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Trend } from '../../components/figures/change.tsx'
import { Gain } from '../../components/figures/gain.tsx'
import { Sol } from '../../components/figures/sol.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { formatOrdinal } from '../../components/ranks/six-hour-rank.tsx'
import { PlayerFace } from '../../components/tokens/player-avatar.tsx'
import { type Fair, type FairEntrant, type FairRanking, type FairStory, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { describeQualifying } from '../../lib/fairs/describe-span.ts'
import { getPhase, toClock } from '../../lib/fairs/fair-time.ts'
import { storeInvite } from '../../lib/fairs/stored-invite.ts'
import { cacheFair, useQuickArena } from '../../lib/fairs/use-enter-fair.ts'
import { useFairList } from '../../lib/fairs/use-fair-list.ts'
import { counted } from '../../lib/format/counted.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { copyWithToast } from '../../lib/ui/copy-text.ts'
import { shareCard } from '../../lib/ui/share-card.ts'
import { FairGain, nameMedal, WhyTakenOff } from './fair-gain.tsx'
import classes from './fairs.module.css'

const FairReplay = lazyPart(() => import('./fair-replay.tsx'), 'FairReplay', <Skeleton height={420} />)

/** Shows a fair's result: the podium, a button to play again, and the player's own result. */
export function FairResult({ fair, ranking }: { fair: Fair; ranking: FairRanking | undefined }) {
  const [isReplayed, setReplayed] = useState(false)
  const ranked = ranking?.entrants.filter(({ isRanked }) => isRanked)
  const mine = ranking?.mine ?? null
  const user = useCurrentUser()
  const hasReplay =
    user !== null && fair.state === 'settled' && ranking?.entrants.some(({ trades }) => trades > 0) === true
  return (
    <>
      {ranked !== undefined && fair.state === 'settled' && (
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
          <Podium fair={fair} ranked={ranked} />
        </Panel>
      )}
      {isReplayed && <FairReplay fair={fair} />}
      {fair.kind !== 'room' && <Again fair={fair} />}
      {fair.kind === 'room' && fair.me !== null && fair.state === 'settled' && <Rematch fair={fair} />}
      {mine !== null && fair.state === 'settled' && <OwnResult fair={fair} mine={mine} total={ranking?.ranked ?? 0} />}
    </>
  )
}

function Podium({ fair, ranked }: { fair: Fair; ranked: readonly FairEntrant[] }) {
  const best = ranked.slice(0, 3)
  if (best.length === 0)
    return (
      <p className="dim">
        {fair.everyoneRanks
          ? 'Nobody traded, so nobody won.'
          : `Nobody is ranked, because nobody traded ${fair.stake} SOL in time.`}
      </p>
    )
  return (
    <>
      <ol className={`p-xl-l round-m row far gap-s clipped ${classes.podium}`}>
        {best.map(({ place, userId, username, isBot, score, medal, isPaper }) => (
          <li key={userId} className={`stack middle gap-xs text-center tight ${classes.step}`} data-step={place}>
            <span className="visually-hidden">Rank {place}</span>
            <PlayerFace id={userId} size={place === 1 ? 56 : 44} />
            <b className="bounded phone-s breaks" title={username}>
              {username}
              {isBot && ' (bot)'}
            </b>
            <Sol value={score} digits={2} />
            <FairGain score={score} stake={fair.stake} />
            <span className={`full mt-s display text-2xl boxed ${classes.medal}`} aria-hidden="true">
              {nameMedal({ medal, isPaper, place })}
            </span>
          </li>
        ))}
      </ol>
      {best.every(({ medal }) => medal === null) && fair.kind !== 'room' && (
        <p className="dim">Nobody won a medal, because {explainNoMedal(fair, ranked)}.</p>
      )}
    </>
  )
}

const RIVALS_MIN = 4

function explainNoMedal({ kind }: Fair, ranked: readonly FairEntrant[]): string {
  if (kind !== 'arena') return 'fewer than four people were ranked and had entered in the first third'
  if (ranked.length < RIVALS_MIN) return 'fewer than four players were ranked'
  if (ranked.slice(0, 3).every(({ isBot }) => isBot)) return 'the best three are bots'
  return 'too many players entered after the first third, or share a browser'
}

const CARD_WIDTH = 1_200
const CARD_HEIGHT = 630

interface OwnResultProps {
  readonly fair: Fair
  readonly mine: FairEntrant
  /** Number of ranked players. */
  readonly total: number
}

/** Shows at the top of an ended fair how the player did, with a button that shares the result. */
export function Verdict({ fair, mine, total }: OwnResultProps) {
  const { data } = trpc.fairs.story.useQuery({ id: fair.id })
  const summary = summarize(fair, mine, total)
  const card = getCard(fair, mine)
  const link = new URL(`/fairs/${fair.id}`, location.origin).href
  const share = () =>
    card === null
      ? copyWithToast(`${summary}. ${link}`, 'Your result copied to clipboard', summary)
      : shareCard({ path: card, name: `fair-${fair.id}.png`, text: `${summary}. ${link}` })
  return (
    <div className="stack left gap-s">
      <p className="display text-3xl tight">{describeFinish(mine, total)}</p>
      <p className="text-l">
        <FairGain score={mine.score} stake={fair.stake} /> SOL
        {mine.medal !== null && ` · ${describeMedal(mine)}`}
        {data?.leaguePoints != null && ` · ${counted(data.leaguePoints, 'league point')}`}
      </p>
      <Button look="quiet" onClick={() => void share()}>
        {card === null ? 'Share the result' : 'Share the card'}
      </Button>
    </div>
  )
}

function summarize({ name, stake }: Fair, { username, place, isRanked, score }: FairEntrant, total: number): string {
  const gain = formatGain(solText(new Decimal(score).sub(stake)), 2)
  const finished = isRanked ? `finished ${formatOrdinal(place)} of ${total} in` : 'played in'
  return `${username} ${finished} ${name} with ${gain} SOL`
}

/** Returns whether a player won against at least one other ranked player. */
export function hasWon({ isRanked, place }: FairEntrant, total: number): boolean {
  return isRanked && place === 1 && total > 1
}

function describeFinish(mine: FairEntrant, total: number): string {
  if (!mine.isRanked) return 'Not ranked'
  return hasWon(mine, total) ? 'You won!' : `${formatOrdinal(mine.place)} of ${total}`
}

/** Returns the path of the player's result card. Rooms and sandboxes have none. */
function getCard({ id, kind }: Fair, { userId }: FairEntrant): string | null {
  return kind === 'room' || kind === 'sandbox' ? null : `/og/fair/${id}/${userId}.png`
}

function OwnResult({ fair, mine, total }: OwnResultProps) {
  const { data } = trpc.fairs.story.useQuery({ id: fair.id })
  const card = getCard(fair, mine)
  return (
    <Panel title="Your result">
      {!mine.isRanked && <p>You are not ranked, because {explainNoRank(fair, mine)}.</p>}
      {data?.today != null && data.today.of > 1 && (
        <p>
          With this result you rank <b>{formatOrdinal(data.today.place)}</b> of {data.today.of} players in today’s
          arenas.
        </p>
      )}
      <WhyTakenOff {...mine} stake={fair.stake} limitedBy={data?.limitedBy} />
      {mine.isPaper && (
        <p className="small">Your medal is of paper, because too few people played and bots counted as well.</p>
      )}
      {data?.series != null && <Series {...data.series} />}
      {data?.rating != null && <RatingChange {...data.rating} isQuick={fair.isQuick} />}
      {data?.leaguePoints != null && (
        <p>
          You won <b>{counted(data.leaguePoints, 'point')}</b> for the{' '}
          <Link to="/leaderboard" hash="league" resetScroll={false}>
            league
          </Link>
          . First place wins 10, and last place none. Your best five arenas of each day count.
        </p>
      )}
      {data !== undefined && (
        <p>
          You made {counted(data.trades, 'trade')}.
          {data.best !== null && (
            <>
              {' '}
              Your best token was <TokenProfit trade={data.best} />.
            </>
          )}
          {data.worst !== null && (
            <>
              {' '}
              Your worst token was <TokenProfit trade={data.worst} />.
            </>
          )}
        </p>
      )}
      {mine.isRanked && data !== undefined && data.ranks.length > 1 && (
        <RankLine places={data.ranks.map(({ place }) => place)} total={total} />
      )}
      {card !== null && (
        <img
          className="scaled round-s on-sunken prose"
          src={card}
          width={CARD_WIDTH}
          height={CARD_HEIGHT}
          loading="lazy"
          alt={`Result card: ${summarize(fair, mine, total)}`}
        />
      )}
    </Panel>
  )
}

function explainNoRank(fair: Fair, { hasLeft, trades }: FairEntrant): string {
  const { everyoneRanks, stake } = fair
  if (hasLeft) return 'you left'
  if (everyoneRanks) return trades === 0 ? 'you did not trade' : 'your account is suspended'
  return `you did not trade ${stake} SOL in the first ${describeQualifying(fair)}`
}

/** Shows how often each person was the best person in a room and its rematches. */
function Series({ games, players }: NonNullable<FairStory['series']>) {
  return (
    <p className="text-l">
      Best person in {counted(games, 'game')}:{' '}
      {players.map(({ id, username, wins }, index) => (
        <span key={id}>
          {index > 0 && ' · '}
          {username} <b>{formatCount(wins)}</b>
        </span>
      ))}
    </p>
  )
}

type ProfitOnToken = NonNullable<FairStory['best']>

function TokenProfit({ trade: { token, profit } }: { trade: ProfitOnToken }) {
  return (
    <>
      {token.emoji} <b>{token.symbol}</b>: <Gain sol={profit} decimals={2} /> SOL
    </>
  )
}

const METALS = ['Gold', 'Silver', 'Bronze']

function describeMedal({ medal, isPaper }: FairEntrant): string {
  return `${METALS[(medal ?? 1) - 1]} medal${isPaper ? ' of paper' : ''}`
}

type RatingChangeProps = NonNullable<FairStory['rating']> & { readonly isQuick: boolean }

/** Shows a rating and its change, such as `Rating 1534 (+34)`, and with whom the player was compared. */
function RatingChange({ before, after, isProvisional, isQuick }: RatingChangeProps) {
  const change = after - before
  return (
    <div>
      <p className="text-l">
        Rating <b>{after}</b>{' '}
        <Trend sign={change < 0 ? -1 : change > 0 ? 1 : 0}>{`${change < 0 ? '−' : '+'}${Math.abs(change)}`}</Trend>
        {isProvisional && <span className="dim"> provisional</span>}
      </p>
      <p className="small">
        {!isQuick
          ? 'You were rated against the people ranked just above and below you.'
          : change === 0 && after >= QUICK_RATING_MAX
            ? `Quick arenas raise a rating to at most ${QUICK_RATING_MAX}. Arenas against people raise it further.`
            : 'You were rated against everyone in this arena.'}
      </p>
    </div>
  )
}

/** Draws the player's rank over time. Rank 1 is at the top. */
function RankLine({ places, total }: { places: readonly number[]; total: number }) {
  const last = Math.max(total, ...places, 2)
  const points = places.map(
    (place, index) => `${(index / (places.length - 1)) * 100},${((place - 1) / (last - 1)) * 100}`,
  )
  const [end, best] = [places.at(-1) ?? 0, Math.min(...places)].map(formatOrdinal)
  return (
    <figure className="plot">
      <svg viewBox="0 -4 100 108" preserveAspectRatio="none" aria-hidden="true">
        <polyline points={points.join(' ')} />
      </svg>
      <figcaption className="dim">
        Your rank since your first trade: {best} at best, {end} at the bell
      </figcaption>
    </figure>
  )
}

/** A button that opens a room's rematch. The first press creates the rematch. */
function Rematch({ fair }: { fair: Fair }) {
  const navigate = useNavigate()
  const start = trpc.fairs.rematch.useMutation({
    onSuccess: ({ fair: next, invite }) => {
      if (invite !== null) storeInvite(next.id, invite)
      cacheFair(next)
      void navigate({ to: '/fairs/{-$id}', params: { id: String(next.id) } })
    },
    meta: { failure: 'Could not start the rematch' },
  })
  return (
    <section className={`row gap-m wrap p-l round-m ${classes.again}`} aria-label="Rematch">
      <p className={classes.told}>
        <b>Play again?</b> We create the same room and notify everyone who played.
      </p>
      <Button disabled={start.isPending} onClick={() => start.mutate({ id: fair.id })}>
        {start.isPending ? 'Starting...' : 'Rematch'}
      </Button>
    </section>
  )
}

/** Buttons that open another quick arena or the next arena. */
function Again({ fair }: { fair: Fair }) {
  const { data } = useFairList()
  const nowMs = useNow()
  const { begin, isBeginning } = useQuickArena()
  if (data === undefined) return null
  const next = [...data.running, ...data.upcoming].find(
    (other) =>
      other.kind === 'arena' && !other.isQuick && other.id !== fair.id && getPhase(other, nowMs) !== 'counting',
  )
  const mayEnter = next !== undefined && ['lobby', 'open'].includes(getPhase(next, nowMs))
  return (
    <section className={`row gap-m wrap p-l round-m ${classes.again}`} aria-label="Next fair">
      <p className={classes.told}>
        {next === undefined ? (
          'No arena is planned.'
        ) : next.state === 'lobby' ? (
          <>
            The next arena starts in <b>{toClock(Date.parse(next.startsAt) - nowMs)}</b>
          </>
        ) : (
          <>
            {next.name} <FairClock fair={next} />
          </>
        )}
      </p>
      {data.houseBots && (
        <Button disabled={isBeginning} onClick={begin}>
          {isBeginning ? 'Starting...' : fair.isQuick ? 'Play another quick arena' : 'Play a quick arena'}
        </Button>
      )}
      {mayEnter && <EnterButton fair={next} isQuiet={data.houseBots} label="Enter the next arena" />}
      {!mayEnter && !data.houseBots && (
        <ButtonLink to="/fairs/{-$id}" params={{ id: undefined }} search={{ make: 'room' }}>
          Make a room
        </ButtonLink>
      )}
    </section>
  )
}
