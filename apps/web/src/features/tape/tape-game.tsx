import { Decimal, FEE_RATE, percentText } from '@papermoon/amm'
import { formatChange } from '@papermoon/format'
import { useMutation } from '@tanstack/react-query'
import { Change } from '../../components/figures/change.tsx'
import { Button } from '../../components/form/button.tsx'
import { client, type TapePlay } from '../../lib/api/api.ts'
import { useConnection } from '../../lib/live/socket.ts'
import { toMinuteClock } from '../../lib/market/seal.ts'
import classes from './tape.module.css'
import { TapeChart } from './tape-chart.tsx'
import { cachePlay, TAPE_MS, useElapsed, useFollowPlay } from './use-tape-play.ts'

/** The part of the money that remains after the fees for buying and selling at the same price. */
const AFTER_FEES = new Decimal(1).sub(FEE_RATE).pow(2)

export function TapeGame({ play, answeredAt }: { play: TapePlay; answeredAt: number }) {
  useFollowPlay(play)
  const elapsedMs = useElapsed(play, answeredAt)
  const isOffline = useConnection().state === 'offline'
  const hasBought = play.boughtMs !== null
  const act = useMutation({
    mutationFn: () => (hasBought ? client.tape.sell : client.tape.buy).mutate({ id: play.id }),
    onSuccess: cachePlay,
    meta: { failure: hasBought ? 'Could not sell' : 'Could not buy' },
  })
  const gain = getGain(play)
  return (
    <section className="card card-big stack gap-l fit" aria-label="The tape">
      <div className="row baseline between text-xl bold">
        <span>{gain === null ? 'You have not bought yet' : <Change percent={gain} />}</span>
        <span className="dim" role="timer">
          {toMinuteClock(TAPE_MS - elapsedMs)}
        </span>
      </div>
      <TapeChart points={play.points} untilMs={elapsedMs} boughtMs={play.boughtMs} label={describe(play)} />
      <Button
        tall
        wide
        className={classes.act}
        data-side={hasBought ? 'sell' : 'buy'}
        disabled={act.isPending}
        onClick={() => act.mutate()}
      >
        {hasBought ? 'Sell' : 'Buy'}
      </Button>
      <p className="dim text-center">
        {isOffline
          ? 'No connection. The tape keeps running, and you will see it once the connection is back.'
          : hasBought
            ? 'Sell once, or hold to the end.'
            : 'Buy once, when you think the price will rise.'}
      </p>
      <p className="visually-hidden" role="status">
        {announce(play, elapsedMs, gain)}
      </p>
    </section>
  )
}

/** Returns the percent that selling now would gain after fees. Returns null if the player has not bought. */
function getGain({ boughtMs, points }: TapePlay): string | null {
  if (boughtMs === null) return null
  const bought = points.findLast(({ ms }) => ms <= boughtMs)?.level
  const last = points.at(-1)?.level
  if (bought === undefined || last === undefined) return null
  return percentText(AFTER_FEES.mul(last).div(bought).sub(1), new Decimal(1))
}

function getChange(points: TapePlay['points']): string {
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined) return formatChange('0')
  return formatChange(percentText(new Decimal(last.level).sub(first.level), new Decimal(first.level)))
}

function describe({ points }: TapePlay): string {
  return `The price has changed by ${getChange(points)} since the tape began`
}

/** Returns the text for screen readers. The text changes when the player buys, and every half minute. */
function announce({ boughtMs, points }: TapePlay, elapsedMs: number, gain: string | null): string {
  const half = Math.floor(elapsedMs / 30_000) * 30_000
  const then = points.filter(({ ms }) => ms <= half)
  const price =
    half === 0
      ? 'The tape is running.'
      : `${toMinuteClock(TAPE_MS - half)} left. The price has changed by ${getChange(then)}.`
  return boughtMs === null || gain === null ? price : `${price} You hold the token.`
}
