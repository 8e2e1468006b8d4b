import { describe, expect, it } from 'vitest'
import type { Slot } from '../../src/features/chart/data/candle-window.ts'
import { formatSlotTime, toTimeLabels } from '../../src/features/chart/data/time-labels.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Slots from a local time on. */
const slotsFrom = (start: Date, widthMs: number, count: number): Slot[] =>
  Array.from({ length: count }, (_, place) => ({ timeMs: start.getTime() + place * widthMs, candle: null }))
const labelled = (start: Date, widthMs: number, { count, every }: { count: number; every: number }) =>
  toTimeLabels(slotsFrom(start, widthMs, count), widthMs, every).filter((label) => label !== '')

describe('the labels of the time axis', () => {
  it('are at round times, whatever the first slot is', () => {
    expect(labelled(new Date(2026, 0, 5, 12, 6), MINUTE, { count: 40, every: 9 })).toEqual([
      '12:10',
      '12:20',
      '12:30',
      '12:40',
    ])
  })

  it('name the date where a day ends, once', () => {
    expect(labelled(new Date(2026, 0, 5, 22, 10), MINUTE, { count: 200, every: 25 })).toEqual([
      '22:30',
      '23:00',
      '23:30',
      'Jan 6',
      '00:30',
      '01:00',
    ])
  })

  it('keep away from the left edge, where they would be cut off', () => {
    const start = new Date(2026, 0, 5, 12, 0)
    expect(toTimeLabels(slotsFrom(start, MINUTE, 40), MINUTE, 10).slice(0, 4)).toEqual(['', '', '', ''])
  })

  it('have seconds for candles of seconds', () => {
    expect(labelled(new Date(2026, 0, 5, 12, 0, 3), SECOND, { count: 30, every: 8 })).toEqual([
      '12:00:10',
      '12:00:20',
      '12:00:30',
    ])
  })

  it('are dates alone where they are days apart', () => {
    const labels = labelled(new Date(2026, 0, 5), 6 * HOUR, { count: 60, every: 12 })
    expect(labels.length).toBeGreaterThan(2)
    for (const label of labels) expect(label).toMatch(/^Jan \d+$/)
  })
})

describe('the time of a place', () => {
  it('names day and minute, and the second for candles of seconds', () => {
    const timeMs = new Date(2026, 10, 3, 4, 5, 6).getTime()
    expect(formatSlotTime(timeMs)).toBe('Nov 3, 04:05')
    expect(formatSlotTime(timeMs, 15 * SECOND)).toBe('Nov 3, 04:05:06')
  })

  it('is written as Intl would', () => {
    const format = new Intl.DateTimeFormat('en', {
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    const start = new Date(2026, 0, 1).getTime()
    for (let days = 0; days < 366; days += 7) {
      const timeMs = start + days * 24 * HOUR + days * 11 * MINUTE
      expect(formatSlotTime(timeMs)).toBe(format.format(timeMs))
    }
  })
})
