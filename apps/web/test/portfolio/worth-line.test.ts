import { describe, expect, it } from 'vitest'
import {
  countDecimals,
  grantedSince,
  type History,
  isUntouched,
  type NetWorth,
  nearestTo,
  type WorthPoint,
  withLivePoint,
  worthLine,
} from '../../src/features/portfolio/net-worth/worth-line.ts'

const BEGIN_MS = Date.parse('2026-03-01T12:00:00.000Z')
const HOUR_MS = 3_600_000

/** Creates one point per hour. A point without a balance is all SOL. */
function createPoints(...worths: readonly (string | readonly [netWorth: string, balance: string])[]): WorthPoint[] {
  return worths.map((worth, hour) => {
    const [netWorth, balance] = typeof worth === 'string' ? [worth, worth] : worth
    return { time: new Date(BEGIN_MS + hour * HOUR_MS).toISOString(), netWorth, balance }
  })
}

function createHistory(points: WorthPoint[]): History {
  return { timeframe: 'ALL', since: points[0]?.time ?? '', grantedBefore: '100', points }
}

const worth: NetWorth = {
  netWorth: '120',
  balance: '90',
  cashOutValue: '30',
  ownPools: '0',
  ownBags: '0',
  openPools: 0,
  ownTokens: [],
  holdings: 1,
  granted: '100',
  largest: [],
  others: '30',
  othersCount: 1,
}

/** Creates the line of points, which must be enough for a line. */
function createLine(points: readonly WorthPoint[], granted = '0') {
  const line = worthLine(points, granted)
  if (line === null) throw new Error('no line')
  return line
}

describe('the line of a net worth', () => {
  it('shows its gain in SOL and percent, and its lowest and highest value', () => {
    const line = createLine(createPoints('100', '80', '125.5', '110'))
    expect(line).toMatchObject({ gain: '10', gainPercent: '10', lowest: '80', highest: '125.5' })
    expect(createLine(createPoints('100', '97.5'))).toMatchObject({ gain: '-2.5', gainPercent: '-2.5' })
  })

  it.each([
    [['100', '80', '125.5'], 2],
    [['99.991', '99.9902', '99.9906'], 4],
  ])('of %j has an axis of as many decimals as tell its lines apart: %i', (worths, decimals) => {
    expect(countDecimals(createLine(createPoints(...worths)))).toBe(decimals)
  })

  it('does not count granted SOL as a gain', () => {
    const reset = { ...worth, granted: '195' }
    const granted = grantedSince(createHistory([]), reset)
    expect(createLine(createPoints('100', '5', '100'), granted)).toMatchObject({ gain: '-95', gainPercent: '-48.72' })
    expect(grantedSince(createHistory([]), worth)).toBe('0')
    expect(grantedSince(createHistory([]), undefined)).toBe('0')
  })

  it('keeps every position inside the plot, with the highest at the top, in order of time', () => {
    const { positions, grid } = createLine(createPoints('100', '80', '125.5', '110'))
    expect(positions.map(({ x }) => x)).toEqual([0, 1 / 3, 2 / 3, 1])
    const ys = positions.map(({ y }) => y)
    expect(Math.min(...ys)).toBe(ys[2])
    expect(Math.max(...ys)).toBe(ys[1])
    expect(ys.every((y) => y > 0 && y < 1)).toBe(true)
    expect(grid.map(({ sol }) => sol)).toEqual(['125.5', '102.75', '80'])
  })

  it('draws a constant line in the middle, and zero not below zero', () => {
    const still = createLine(createPoints('100', '100'))
    expect(still.positions.map(({ y }) => y)).toEqual([0.5, 0.5])
    expect(still.grid).toHaveLength(1)
    expect(createLine(createPoints('0', '0'))).toMatchObject({ gain: '0', gainPercent: null })
  })

  it('requires more than one point', () => {
    expect(worthLine(createPoints('100'), '0')).toBeNull()
    expect(worthLine([], '0')).toBeNull()
  })

  it('ends with the newest net worth, and not before the end of the history', () => {
    const history = createHistory(createPoints('100', '105', '110'))
    const later = withLivePoint(history, worth, BEGIN_MS + 5 * HOUR_MS)
    expect(later.at(-1)).toEqual({ time: '2026-03-01T17:00:00.000Z', netWorth: '120', balance: '90' })
    expect(later.slice(0, -1)).toEqual(history.points.slice(0, -1))
    // A browser clock that is slow must not bend the line back.
    expect(withLivePoint(history, worth, BEGIN_MS).at(-1)?.time).toBe('2026-03-01T14:00:00.000Z')
    expect(withLivePoint(history, undefined, BEGIN_MS)).toEqual(history.points)
  })

  it('finds the point nearest to the pointer', () => {
    const line = createLine(createPoints('100', '80', '125.5', '110'))
    expect([-1, 0.1, 0.2, 0.45, 0.9, 2].map((x) => nearestTo(line, x))).toEqual([0, 0, 1, 1, 3, 3])
  })

  it('treats a player as new until a point differs or something is held', () => {
    const nothing = { ...worth, netWorth: '100', balance: '100', cashOutValue: '0', holdings: 0, others: '0' }
    expect(isUntouched(createPoints('100', '100'), nothing)).toBe(true)
    expect(isUntouched(createPoints('100', '99.7', '100'), nothing)).toBe(false)
    expect(isUntouched(createPoints('100', ['100', '98']), nothing)).toBe(false)
    expect(isUntouched(createPoints('100', '100'), { ...nothing, holdings: 1 })).toBe(false)
    expect(isUntouched(createPoints('100', '100'), { ...nothing, openPools: 1 })).toBe(false)
  })
})
