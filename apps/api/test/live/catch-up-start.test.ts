import { expect, it } from 'vitest'
import { findCatchUpStart } from '../../src/features/live/token-events.ts'

it.each([
  [10_000, 0],
  [10_001, 500],
  [10_500, 500],
  [123_456, 113_500],
])('a subscriber who is too far behind event %i begins after %i, at a page', (lastSeq, start) => {
  expect(findCatchUpStart(lastSeq)).toBe(start)
})

it('leaves a subscriber of a short journal where it was', () => {
  expect(findCatchUpStart(9_999)).toBeLessThanOrEqual(0)
})
