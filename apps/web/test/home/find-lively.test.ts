import { expect, it } from 'vitest'
import { findLively } from '../../src/features/home/hero/first-trade-button.tsx'
import type { TokenId } from '../../src/lib/api/api.ts'

const moverOf = (id: number, ruggedAt: string | null = null) => ({
  id: id as TokenId,
  symbol: `T${id}`,
  emoji: '🌙',
  ruggedAt,
})

it('offers the first open token, with rising tokens first', () => {
  const [rugged, riser, hot] = [moverOf(1, '2026-01-05T12:00:00.000Z'), moverOf(2), moverOf(3)]
  expect(findLively({ rising: [rugged, riser], hot: [hot], fresh: [] })).toBe(riser)
  expect(findLively({ rising: [rugged], hot: [rugged, hot], fresh: [riser] })).toBe(hot)
  expect(findLively({ rising: [], hot: [], fresh: [riser] })).toBe(riser)
  expect(findLively({ rising: [rugged], hot: [], fresh: [] })).toBeUndefined()
})
