import { expect, it } from 'vitest'
import { findLively } from '../../src/features/continue/continue-offer.tsx'
import type { TokenId } from '../../src/lib/api/api.ts'

const moverOf = (id: number, ruggedAt: string | null = null) => ({
  id: id as TokenId,
  symbol: `T${id}`,
  emoji: '🌙',
  ruggedAt,
})

it('offers the first open token, and says that it rises only if it is one of those', () => {
  const [rugged, riser, hot] = [moverOf(1, '2026-01-05T12:00:00.000Z'), moverOf(2), moverOf(3)]
  expect(findLively({ rising: [rugged, riser], hot: [hot], fresh: [] })).toEqual({ ...riser, isRising: true })
  expect(findLively({ rising: [rugged], hot: [rugged, hot], fresh: [riser] })).toEqual({ ...hot, isRising: false })
  expect(findLively({ rising: [], hot: [], fresh: [riser] })).toEqual({ ...riser, isRising: false })
  expect(findLively({ rising: [rugged], hot: [], fresh: [] })).toBeUndefined()
})
