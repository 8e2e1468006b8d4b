import { Decimal, gainBetween, percentText, solText } from '@papermoon/amm'
import type { AppInputs, AppOutputs } from '@papermoon/contract/router'
import { formatSol } from '@papermoon/format'

export type WorthPoint = History['points'][number]

/** Margin above and below the line, as a part of the line's range. */
const AIR = '0.08'
/** Margin above and below a line with a constant value, as a part of that value. */
const STILL = '0.02'

/** The gain in SOL over a time range, and as a percentage. If the first value is zero, the percentage is null. */
export interface WorthGain {
  readonly gain: string
  readonly gainPercent: string | null
}

/**
 * A net worth as a line, ready to draw. All positions are fractions of the plot's size from the left and from the top.
 */
export interface WorthLine extends WorthGain {
  readonly points: readonly WorthPoint[]
  readonly positions: readonly { readonly x: number; readonly y: number }[]
  /** The grid lines, highest first, with their SOL and their positions from the top. */
  readonly grid: readonly { readonly sol: string; readonly y: number }[]
  readonly lowest: string
  readonly highest: string
}

/**
 * Returns a history's points, followed by the current net worth. The time of this last point is `nowMs`, but never
 * before the history's end.
 */
export function withLivePoint(history: History, live: NetWorth | undefined, nowMs: number): readonly WorthPoint[] {
  const last = history.points.at(-1)
  if (live === undefined || last === undefined) return history.points
  const time = new Date(Math.max(nowMs, Date.parse(last.time))).toISOString()
  return [...history.points.slice(0, -1), { time, netWorth: live.netWorth, balance: live.balance }]
}

/** Returns the SOL that the player was granted between a history's first point and now, which is not a gain. */
export function grantedSince({ grantedBefore }: History, live: NetWorth | undefined): string {
  return live === undefined ? '0' : solText(new Decimal(live.granted).sub(grantedBefore))
}

export function worthLine(points: readonly WorthPoint[], granted: string): WorthLine | null {
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined || points.length < 2) return null
  const worths = points.map((point) => new Decimal(point.netWorth))
  const [low, high] = [Decimal.min(...worths), Decimal.max(...worths)]
  const air = low.eq(high) ? Decimal.max(high.mul(STILL), '0.01') : high.sub(low).mul(AIR)
  const [floor, ceiling] = [low.sub(air), high.add(air)]
  const toY = (sol: Decimal) => ceiling.sub(sol).div(ceiling.sub(floor)).toNumber()
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
    positions: worths.map((worth, index) => ({
      x: (Date.parse(points[index]?.time ?? first.time) - beginMs) / spanMs,
      y: toY(worth),
    })),
    grid: lines.map((sol) => ({ sol: solText(sol.toDecimalPlaces(9)), y: toY(sol) })),
    lowest: solText(low),
    highest: solText(high),
    gain: solText(profit),
    gainPercent: base.isZero() ? null : percentText(profit, base),
  }
}

/**
 * Returns the number of decimals for the axis. The result is the smallest number from 2 to 6 for which all labels
 * differ.
 */
export function countDecimals({ grid }: WorthLine): number {
  const areApart = (decimals: number) => new Set(grid.map(({ sol }) => formatSol(sol, decimals))).size === grid.length
  return [2, 3, 4, 5].find(areApart) ?? 6
}

/** Returns whether the player has never invested anything. */
export function isUntouched(points: readonly WorthPoint[], live: NetWorth): boolean {
  const [first] = points
  const isStill = points.every(({ netWorth, balance }) => netWorth === first?.netWorth && balance === first.balance)
  return isStill && live.holdings === 0 && live.openPools === 0
}

/** Returns the index of the point nearest to `x`, which is a fraction of the plot's width. */
export function nearestTo(line: WorthLine, x: number): number {
  let nearest = 0
  for (const [index, position] of line.positions.entries()) {
    if (Math.abs(position.x - x) < Math.abs((line.positions[nearest]?.x ?? 0) - x)) nearest = index
  }
  return nearest
}

export type NetWorth = AppOutputs['portfolio']['netWorth']
export type History = AppOutputs['portfolio']['history']
export type HistoryTimeframe = NonNullable<AppInputs['portfolio']['history']['timeframe']>
