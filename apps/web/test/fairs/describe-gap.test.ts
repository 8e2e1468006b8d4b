import { expect, it } from 'vitest'
import type { FairRanking } from '../../src/lib/api/api.ts'
import { describeGap } from '../../src/lib/fairs/describe-gap.ts'

const entrants = [
  { userId: 1, place: 1, score: '110.5', isRanked: true },
  { userId: 2, place: 2, score: '104.25', isRanked: true },
  { userId: 3, place: 3, score: '99', isRanked: false },
] as FairRanking['entrants']
const gapOf = (index: number) => describeGap({ entrants, mine: entrants[index] ?? null })

it('a ranked player sees the distance to the next better rank, and the first player the lead', () => {
  expect(gapOf(1)).toBe('6.25 to #1')
  expect(gapOf(0)).toBe('6.25 ahead')
})

it('a player without a rank, a guest and a lone player see no distance', () => {
  expect(gapOf(2)).toBeNull()
  expect(gapOf(9)).toBeNull()
  expect(describeGap({ entrants: entrants.slice(1), mine: entrants[1] ?? null })).toBeNull()
})
