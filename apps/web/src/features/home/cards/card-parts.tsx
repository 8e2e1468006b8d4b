import { formatCountShort } from '@papermoon/format'
import { Moment } from '../../../components/figures/moment.tsx'
import { BotMark } from '../../../components/tokens/player-link.tsx'
import { WaxSeal } from '../../../components/tokens/wax-seal.tsx'
import type { Token } from '../../../lib/api/api.ts'
import { relativeTime } from '../../../lib/format/relative-time.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { describeSeal, shortenUnit } from '../../../lib/market/seal.ts'
import classes from './card-parts.module.css'
import { drawLine, HEIGHT, WIDTH } from './draw-line.ts'
import { useFigures } from './figures-store.ts'

/** Time between two updates of the cards' ages, in ms. The time is long, because a page has many cards. */
const TICK_MS = 10_000

export * as stars from '../../../lib/market/stars.ts'

/** Draws the price of the last 24 hours as a line. The line's end follows the live price. */
export function CardLine({ token }: { token: Token }) {
  const figures = useFigures(token.id)
  if (figures === undefined) return null
  const prices = [...figures.sparkline.slice(0, -1), token.currentPrice]
  const { line, area, trend } = drawLine(prices.map(Number))
  return (
    <svg
      className={`full high block ${classes.line} ${classes[trend]}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={classes.area} d={area} />
      <path className={classes.stroke} d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

/** Shows a token's age, number of holders and creator. If the token is sealed, its seal is on the card's edge. */
export function CardFacts({ token }: { token: Token }) {
  const figures = useFigures(token.id)
  const now = useNow(TICK_MS)
  const { username, isBot } = token.creator
  const seal = token.ruggedAt === null ? describeSeal(token.seal, now) : null
  return (
    <span className={`flex gap-xs ${classes.facts}`}>
      <Moment time={token.createdAt} event="Launched">
        {shortenUnit(relativeTime(token.createdAt, now).replace(/ ago$/, ''))}
      </Moment>
      <span> · </span>
      <span className={classes.holders}>{figures === undefined ? '' : toHoldersText(figures)}</span>
      <span> · </span>
      <span className={`clipped ${classes.creator}`} title={`Created by ${username}`}>
        {username}
      </span>
      {isBot && (
        <>
          {' '}
          <BotMark />
        </>
      )}
      {seal !== null && (
        <span className={`absolute ${classes.seal}`}>
          <WaxSeal label={seal.label} />
        </span>
      )}
    </span>
  )
}

function toHoldersText({ holders, areHoldersExact }: { holders: number; areHoldersExact: boolean }): string {
  return `${areHoldersExact ? '' : '~'}${formatCountShort(holders)} ${holders === 1 ? 'holder' : 'holders'}`
}
