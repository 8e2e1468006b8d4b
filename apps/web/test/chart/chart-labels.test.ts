import { priceLabel } from '@papermoon/format'
import { describe, expect, it } from 'vitest'
import { axisLabel, formatSlotTime, toPlotPrice } from '../../src/features/chart/chart-axis.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

describe('a label of the value axis', () => {
  it('is rounded like prices everywhere else', () => {
    expect(axisLabel(toPlotPrice('0.0000491616'), 'price')).toBe(priceLabel('0.0000491616'))
    expect(axisLabel(toPlotPrice('0.00004916178'), 'price')).toBe('0.0₄49162')
  })

  it('distinguishes market caps that are close', () => {
    expect([30, 30.1, 30.2].map((plotted) => axisLabel(plotted, 'cap'))).toEqual(['$6K', '$6.02K', '$6.04K'])
    expect([0.5, 1_234.5, 6_175_000].map((plotted) => axisLabel(plotted, 'cap'))).toEqual([
      '$100',
      '$246.9K',
      '$1.235B',
    ])
  })

  it('is empty below zero, which the margin of the axis may include', () => {
    expect(axisLabel(-1, 'price')).toBe('')
  })
})

describe('the time of a position', () => {
  it('names day and minute, and the second for candles of seconds', () => {
    const timeMs = new Date(2026, 10, 3, 4, 5, 6).getTime()
    expect(formatSlotTime(timeMs)).toBe('Nov 3, 04:05')
    expect(formatSlotTime(timeMs, 15 * SECOND)).toBe('Nov 3, 04:05:06')
  })

  it('is formatted like Intl would', () => {
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
