import { userId } from '@papermoon/live/testing'
import { describe, expect, it } from 'vitest'
import { findOwned } from '../../src/features/chart/data/slots.ts'
import type { MarkedTrade } from '../../src/lib/api/api.ts'

const TIME = '2026-01-01T12:00:00.000Z'
const trade = (seq: number, by: number): MarkedTrade => ({ seq, side: 'buy', userId: userId(by), createdAt: TIME })
const trades = [trade(3, 9), trade(2, 1), trade(1, 5)]
const find = (ownId: number | null) => findOwned(trades, { ownId, creatorId: 1 }).map(({ seq, who }) => [seq, who])

describe('the trades that are marked', () => {
  it('are the player’s own and the creator’s, and nobody else’s', () => {
    expect(find(9)).toEqual([
      [3, 'own'],
      [2, 'creator'],
    ])
  })

  it('are a creator’s own where the creator looks', () => {
    expect(find(1)).toEqual([[2, 'own']])
  })

  it('are the creator’s alone for a guest', () => {
    expect(find(null)).toEqual([[2, 'creator']])
  })
})
