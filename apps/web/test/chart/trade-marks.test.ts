import { userId } from '@papermoon/live/testing'
import { describe, expect, it } from 'vitest'
import { markedSeqs } from '../../src/features/chart/data/trade-marks.ts'
import type { Palette } from '../../src/features/chart/echarts/chart-palette.ts'
import { tickOption } from '../../src/features/chart/echarts/tick-option.ts'
import type { Chart, MarkedTrade } from '../../src/lib/api/api.ts'

const TIME = '2026-01-01T12:00:00.000Z'
const trade = (seq: number, by: number): MarkedTrade => ({ seq, side: 'buy', userId: userId(by), createdAt: TIME })
const trades = [trade(3, 9), trade(2, 1), trade(1, 5)]

describe('the trades that are marked', () => {
  it('are the player’s own and the creator’s, and nobody else’s', () => {
    expect([...markedSeqs(trades, { ownId: 9, creatorId: 1 })]).toEqual([
      [3, 'own'],
      [2, 'creator'],
    ])
  })

  it('are a creator’s own where the creator looks', () => {
    expect([...markedSeqs(trades, { ownId: 1, creatorId: 1 })]).toEqual([[2, 'own']])
  })

  it('are the creator’s alone for a guest', () => {
    expect([...markedSeqs(trades, { ownId: null, creatorId: 1 })]).toEqual([[2, 'creator']])
  })

  it('stand out among the ticks, each in its colour', () => {
    const palette = { moon: 'moon', creator: 'creator', up: 'up', down: 'down' } as Palette
    const ticks: Chart['ticks'] = [1, 2, 3].map((seq) => ({ seq, time: TIME, price: '0.00000003', side: 'buy' }))
    const marked = markedSeqs(trades, { ownId: 9, creatorId: 1 })
    const [series] = tickOption({
      ticks,
      marked,
      unit: 'price',
      palette,
      plot: { width: 600, height: 400, right: 80 },
    }).series
    expect(series?.data.map(({ itemStyle }) => itemStyle)).toEqual([
      { color: 'up' },
      { color: 'up', borderColor: 'creator', borderWidth: 2.5 },
      { color: 'up', borderColor: 'moon', borderWidth: 2.5 },
    ])
  })
})
