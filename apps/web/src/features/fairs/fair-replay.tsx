import { formatSol } from '@papermoon/format'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { Fetched } from '../../components/feedback/fetched.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Price } from '../../components/figures/price.tsx'
import { Button } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { type Fair, type FairReplay as Replay, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { toClock } from '../../lib/fairs/fair-time.ts'
import { mayMove } from '../../lib/ui/motion.ts'
import { FairGain } from './fair-gain.tsx'
import classes from './fair-replay.module.css'

const WHOLE_MS = 15_000
const HEIGHT = 40

/** Replays an ended fair in 15 seconds, with the ranking and the prices. */
export function FairReplay({ fair }: { fair: Fair }) {
  const query = trpc.fairs.replay.useQuery({ id: fair.id }, { staleTime: Number.POSITIVE_INFINITY })
  const heading = useRef<HTMLHeadingElement>(null)
  // Scroll to the replay, because the pressed button has disappeared.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.closest('section')?.scrollIntoView()
  }, [])
  return (
    <Panel title="The replay" heading={heading} className={classes.replay}>
      <Fetched level={2} query={query} failure="Could not load the replay" skeleton={<Skeleton height={420} />}>
        {(replay) => <ReplayPlayer fair={fair} replay={replay} />}
      </Fetched>
    </Panel>
  )
}

function ReplayPlayer({ fair, replay }: { fair: Fair; replay: Replay }) {
  const last = replay.times.length - 1
  // With reduced motion, the replay starts at its end, and the player moves the slider.
  const [playback, setPlayback] = useState(() =>
    mayMove('stagger') ? { at: 0, isPlaying: true } : { at: last, isPlaying: false },
  )
  const { at, isPlaying } = playback
  useEffect(() => {
    if (!isPlaying) return
    const timer = setInterval(
      () => setPlayback((it) => ({ at: Math.min(it.at + 1, last), isPlaying: it.at + 1 < last })),
      WHOLE_MS / last,
    )
    return () => clearInterval(timer)
  }, [isPlaying, last])
  const toggle = () => setPlayback({ at: at === last ? 0 : at, isPlaying: !isPlaying })
  const passed = toClock(Date.parse(replay.times[at] ?? fair.startsAt) - Date.parse(fair.startsAt))
  return (
    <>
      <Places fair={fair} replay={replay} at={at} />
      <div className="columns-s">
        {replay.tokens.map((token) => (
          <Prices key={token.id} token={token} at={at} />
        ))}
      </div>
      <div className={`row gap-m ${classes.bar}`}>
        <Button look="quiet" onClick={toggle}>
          {isPlaying ? 'Pause' : at === last ? 'Play again' : 'Play'}
        </Button>
        <input
          type="range"
          className={`grow pointer touch-high ${classes.slider}`}
          min={0}
          max={last}
          value={at}
          aria-label="Time in the fair"
          aria-valuetext={`${passed} after the start`}
          onChange={({ target }) => setPlayback({ at: Number(target.value), isPlaying: false })}
        />
        <b>{passed}</b>
      </div>
    </>
  )
}

/** Shows the best players at a point in time. Rows move smoothly to their positions. */
function Places({ fair, replay, at }: { fair: Fair; replay: Replay; at: number }) {
  const user = useCurrentUser()
  const known = replay.entrants.flatMap((entrant) => {
    const moment = entrant.moments[at]
    return moment == null ? [] : [{ ...entrant, ...moment }]
  })
  const order = known.toSorted((a, b) => a.place - b.place)
  const farthest = Math.max(...known.map(({ score }) => Math.abs(Number(score) - Number(fair.stake))), 0.01)
  return (
    <ol className={`relative ${classes.places}`} style={{ '--rows': replay.entrants.length } as CSSProperties}>
      {known.map((entrant) => {
        const gained = (Number(entrant.score) - Number(fair.stake)) / farthest
        const style = { '--row': order.indexOf(entrant), '--far': Math.abs(gained) } as CSSProperties
        return (
          <li
            key={entrant.userId}
            className={`row gap-s px-s round-s on-sunken clipped absolute ${classes.place}`}
            data-me={entrant.userId === user?.id}
            data-loses={gained < 0}
            style={style}
          >
            <b className={`text-center ${classes.number}`}>{entrant.isRanked ? entrant.place : '–'}</b>
            <span className="grow cut">
              {entrant.username}
              {entrant.isBot && ' (bot)'}
            </span>
            <span title={`${formatSol(entrant.score, 9)} SOL`}>
              <FairGain score={entrant.score} stake={fair.stake} />
            </span>
          </li>
        )
      })}
    </ol>
  )
}

/** Draws a token's price up to a point in time. After that point, the line is faint. */
function Prices({ token, at }: { token: Replay['tokens'][number]; at: number }) {
  const { prices, symbol, emoji } = token
  const highest = Math.max(...prices.map(Number), Number.MIN_VALUE)
  const points = prices.flatMap((price, x) =>
    price === null ? [] : [`${x},${HEIGHT * (1 - Number(price) / highest)}`],
  )
  const first = prices.findIndex((price) => price !== null)
  const price = prices[at] ?? null
  return (
    <figure className="plot">
      <figcaption>
        <span aria-hidden="true">{emoji}</span> <b>{symbol}</b>{' '}
        {price === null ? 'No trades yet' : <Price value={price} />}
      </figcaption>
      <svg viewBox={`0 -2 ${prices.length - 1} ${HEIGHT + 4}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={points.join(' ')} opacity="0.25" />
        <polyline points={points.slice(0, Math.max(0, at - first + 1)).join(' ')} />
      </svg>
    </figure>
  )
}
