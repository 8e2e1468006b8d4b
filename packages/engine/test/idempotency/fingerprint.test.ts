import { expect, it } from 'vitest'
import { computeFingerprint } from '../../src/idempotency.ts'
import type { LaunchOrder } from '../../src/orders.ts'

const about = {
  name: 'Paper Moon',
  symbol: 'MOON',
  emoji: '🌙',
  description: null,
  website: null,
  x: null,
  telegram: null,
}
const launch = (fairId?: number) =>
  computeFingerprint({
    kind: 'launch',
    userId: 1,
    token: about,
    ...(fairId !== undefined && { fair: { id: fairId, closesAtMs: 1 } }),
  } as unknown as LaunchOrder)

it('launches in two fairs, or outside fairs, have different fingerprints', () => {
  expect(new Set([launch(), launch(1), launch(2)]).size).toBe(3)
  expect(launch(2)).toBe(launch(2))
})
