import { expect, it } from 'vitest'
import { toSlots } from '../../src/features/chart/data/candle-window.ts'
import { findVisible } from '../../src/features/chart/data/chart-window.ts'
import { toColumns } from '../../src/features/chart/data/columns.ts'
import { countColumns, guessSize, layOut, type Size } from '../../src/features/chart/echarts/plot-layout.ts'

const T0 = Date.parse('2026-01-01T12:00:00.000Z')
const HOUR_S = 3_600
const HOUR_MS = HOUR_S * 1_000
/** Pictures as measured in a browser. */
const WINDOWS = [
  { name: 'a phone', windowWidth: 412, picture: { width: 354, height: 360 } },
  { name: 'a laptop', windowWidth: 1_280, picture: { width: 762, height: 420 } },
]

const candlesOf = (hours: number) =>
  Array.from({ length: hours }, (_, hour) => ({
    time: new Date(T0 + hour * HOUR_MS).toISOString(),
    open: '0.5',
    high: '0.6',
    low: '0.4',
    close: '0.5',
    volume: '1',
  }))

/** The last column that a picture of this size has. */
function lastColumn(size: Size, hours: number) {
  const slots = toSlots(candlesOf(hours), HOUR_S, T0 + hours * HOUR_MS)
  const columns = countColumns(layOut(size, ['0.0₅1187']))
  return toColumns(findVisible(slots, HOUR_MS, null), columns).slots.at(-1)
}

it.each(WINDOWS)('the latest candle stays when $name has measured the picture', ({ windowWidth, picture }) => {
  for (let hours = 48; hours <= 400; hours++) {
    const guessed = lastColumn(guessSize(windowWidth), hours)
    expect(guessed?.candle).toBeDefined()
    expect(guessed, `${hours} hours`).toEqual(lastColumn(picture, hours))
  }
  // Without a guess everything is one column.
  expect(lastColumn({ width: 0, height: 0 }, 48)).not.toEqual(lastColumn(guessSize(windowWidth), 48))
})
