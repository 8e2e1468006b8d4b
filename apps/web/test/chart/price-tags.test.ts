import { expect, it } from 'vitest'
import { spreadTags } from '../../src/features/chart/price-tags.tsx'

const edges = { top: 14, bottom: 300 }

it('places tags at their lines', () => {
  expect(spreadTags([200, 40], edges)).toEqual([200, 40])
})

it('moves tags apart if they would cover each other', () => {
  const placed = spreadTags([100, 102, 104, 101], edges).sort((one, other) => one - other)
  for (const [index, y] of placed.slice(1).entries()) expect(y - (placed[index] ?? 0)).toBeGreaterThanOrEqual(18)
})

it('keeps tags inside the plot if their lines are outside, in the order of their prices', () => {
  expect(spreadTags([500, 400, -20], edges)).toEqual([300, 280, 14])
})
