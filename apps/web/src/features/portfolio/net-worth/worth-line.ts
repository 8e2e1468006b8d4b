import { Decimal, gainBetween, percentText, solText } from '@papermoon/amm'
import type { History, NetWorth } from '../worth-types.ts'

export type WorthPoint = History['points'][number]

/** Room above and below the line, as a fraction of what it moves over. */
const AIR = '0.08'
/** What a line that does not move is drawn in the middle of, as a fraction of its height. */
const STILL = '0.02'

/** SOL that a span brought, and that in percent; null of nothing. */
export interface WorthGain {
  readonly gain: string
  readonly gainPercent: string | null
}

/** A net worth over time, ready to be drawn: places are fractions of the plot, from the left and from the top. */
export interface WorthLine extends WorthGain {
  readonly points: readonly WorthPoint[]
  readonly places: readonly { readonly x: number; readonly y: number }[]
  /** SOL of the grid's lines, the highest first, with their places from the top. */
  readonly grid: readonly { readonly sol: string; readonly y: number }[]
  readonly lowest: string
  readonly highest: string
}

/** The points of a history with the newest net worth as their last, at `nowMs` or when the history was read. */
export function withLivePoint(history: History, live: NetWorth | undefined, nowMs: number): readonly WorthPoint[] {
  const last = history.points.at(-1)
  if (live === undefined || last === undefined) return history.points
  const time = new Date(Math.max(nowMs, Date.parse(last.time))).toISOString()
  return [...history.points.slice(0, -1), { time, netWorth: live.netWorth, balance: live.balance }]
}

/** SOL that was granted between the first point of a history and the newest net worth: it is no gain. */
export function grantedSince({ grantedBefore }: History, live: NetWorth | undefined): string {
  return live === undefined ? '0' : solText(new Decimal(live.granted).sub(grantedBefore))
}

/** Null where there is nothing to draw a line through. */
export function worthLine(points: readonly WorthPoint[], granted: string): WorthLine | null {
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined || points.length < 2) return null
  const worths = points.map((point) => new Decimal(point.netWorth))
  const [low, high] = [Decimal.min(...worths), Decimal.max(...worths)]
  const air = low.eq(high) ? Decimal.max(high.mul(STILL), '0.01') : high.sub(low).mul(AIR)
  const [floor, ceiling] = [low.sub(air), high.add(air)]
  const yOf = (sol: Decimal) => ceiling.sub(sol).div(ceiling.sub(floor)).toNumber()
  const beginMs = Date.parse(first.time)
  const spanMs = Math.max(1, Date.parse(last.time) - beginMs)
  const { profit, base } = gainBetween({
    start: new Decimal(first.netWorth),
    now: new Decimal(last.netWorth),
    granted: new Decimal(granted),
  })
  const lines = low.eq(high) ? [high] : [high, high.add(low).div(2), low]
  return {
    points,
    places: worths.map((worth, index) => ({
      x: (Date.parse(points[index]?.time ?? first.time) - beginMs) / spanMs,
      y: yOf(worth),
    })),
    grid: lines.map((sol) => ({ sol: solText(sol.toDecimalPlaces(9)), y: yOf(sol) })),
    lowest: solText(low),
    highest: solText(high),
    gain: solText(profit),
    gainPercent: base.isZero() ? null : percentText(profit, base),
  }
}

/** Whether nothing of a player's was ever in the market: no point differs from the first, and nothing is at stake. */
export function isUntouched(points: readonly WorthPoint[], live: NetWorth): boolean {
  const [first] = points
  const isStill = points.every(({ netWorth, balance }) => netWorth === first?.netWorth && balance === first.balance)
  return isStill && live.holdings === 0 && live.openPools === 0
}

/** The place in the list of the point that is nearest to `x`, a fraction of the plot's width. */
export function nearestTo(line: WorthLine, x: number): number {
  let nearest = 0
  for (const [index, place] of line.places.entries()) {
    if (Math.abs(place.x - x) < Math.abs((line.places[nearest]?.x ?? 0) - x)) nearest = index
  }
  return nearest
}
