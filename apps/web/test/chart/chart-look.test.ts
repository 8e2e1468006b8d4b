// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest'
import { readHidden, storeHidden } from '../../src/features/chart/chart-marks.tsx'
import { readLook, storeLook, TIMEFRAMES, VIEWS } from '../../src/features/chart/chart-views.ts'

beforeEach(() => localStorage.clear())

it('keeps the range and the view of a chart for the next page, separately', () => {
  expect([readLook('timeframe', TIMEFRAMES, 'ALL'), readLook('view', VIEWS, 'candles')]).toEqual(['ALL', 'candles'])
  storeLook('timeframe', '24H')
  expect([readLook('timeframe', TIMEFRAMES, 'ALL'), readLook('view', VIEWS, 'candles')]).toEqual(['24H', 'candles'])
  storeLook('view', 'ticks')
  expect([readLook('timeframe', TIMEFRAMES, 'ALL'), readLook('view', VIEWS, 'candles')]).toEqual(['24H', 'ticks'])
})

it('ignores invalid choices', () => {
  storeLook('timeframe', '2Y')
  expect(readLook('timeframe', TIMEFRAMES, 'ALL')).toBe('ALL')
})

it('keeps whose marks are hidden; by default none are', () => {
  expect(readHidden()).toEqual([])
  storeHidden(['own', 'creator'])
  expect(readHidden()).toEqual(['own', 'creator'])
  storeHidden([])
  expect(readHidden()).toEqual([])
})
