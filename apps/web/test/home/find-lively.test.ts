import { expect, it } from 'vitest'
import { findLively } from '../../src/features/home/hero/first-trade-button.tsx'
import type { TokenId } from '../../src/lib/api/api.ts'

const NOW_MS = Date.parse('2026-01-05T13:00:00.000Z')

const moverOf = (id: number, ruggedAt: string | null = null, sealedUntil: string | null = null) => ({
  id: id as TokenId,
  symbol: `T${id}`,
  emoji: '🌙',
  ruggedAt,
  seal: sealedUntil === null ? null : { liquidityUntil: sealedUntil, bagUntil: null, bagTokens: '0' },
})

it('offers the first open token, with rising tokens first', () => {
  const [rugged, riser, hot] = [moverOf(1, '2026-01-05T12:00:00.000Z'), moverOf(2), moverOf(3)]
  expect(findLively({ rising: [rugged, riser], hot: [hot], fresh: [] }, NOW_MS)).toBe(riser)
  expect(findLively({ rising: [rugged], hot: [rugged, hot], fresh: [riser] }, NOW_MS)).toBe(hot)
  expect(findLively({ rising: [], hot: [], fresh: [riser] }, NOW_MS)).toBe(riser)
  expect(findLively({ rising: [rugged], hot: [], fresh: [] }, NOW_MS)).toBeUndefined()
})

it('prefers a token that cannot be rugged now', () => {
  const [open, sealed] = [moverOf(1), moverOf(2, null, '2026-01-05T14:00:00.000Z')]
  const wasSealed = moverOf(3, null, '2026-01-05T12:00:00.000Z')
  expect(findLively({ rising: [open, wasSealed], hot: [], fresh: [sealed] }, NOW_MS)).toBe(sealed)
  expect(findLively({ rising: [open, wasSealed], hot: [], fresh: [] }, NOW_MS)).toBe(open)
})
