import { describe, expect, it } from 'vitest'
import { formatCountdown, formatDistance, formatOrdinal, formatPlace } from '../src/components/ranks/six-hour-rank.tsx'
import type { LeaderboardRank } from '../src/lib/api/api.ts'

const rank = (given: Partial<LeaderboardRank>): LeaderboardRank => ({
  userId: 1 as LeaderboardRank['userId'],
  isRanked: true,
  rank: null,
  players: 41,
  totalPnL: null,
  tradesCount: 0,
  notCounted: null,
  behindBronze: null,
  lead: null,
  computedAt: '2026-01-05T12:00:00.000Z',
  giveaway: { since: '2026-01-05T12:00:00.000Z', until: '2026-01-05T18:00:00.000Z' },
  ...given,
})

describe('a rank in words', () => {
  it.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [7, '7th'],
    [11, '11th'],
    [12, '12th'],
    [21, '21st'],
    [1_113, '1,113th'],
  ])('writes %i as %s', (place, text) => expect(formatOrdinal(place)).toBe(text))

  it.each<[string, Partial<LeaderboardRank>, string, string]>([
    [
      'below the podium',
      { rank: 7, totalPnL: '2.4', behindBronze: '3.1' },
      '7th',
      '3.1000 SOL behind the bronze medal.',
    ],
    ['on the podium', { rank: 1, totalPnL: '9', lead: '0.50001' }, '1st', '0.5000 SOL ahead of the next rank.'],
    ['alone on the podium', { rank: 1, totalPnL: '9' }, '1st', 'Nobody is ranked below yet.'],
    ['with a loss', { totalPnL: '-1', behindBronze: '4' }, 'Not ranked', '4.0000 SOL behind the bronze medal.'],
    ['without a trade', {}, 'No trades', 'Right now, any profit is enough for a medal.'],
    ['of a bot', { isRanked: false }, 'Not ranked', 'Bots have their own league.'],
  ])('tells the rank %s', (_where, given, place, distance) => {
    expect([formatPlace(rank(given)), formatDistance(rank(given))]).toEqual([place, distance])
  })
})

describe('the countdown to the end of a giveaway window', () => {
  const until = '2026-01-05T18:00:00.000Z'
  it.each([
    ['2026-01-05T12:00:00.000Z', '6 h 00 min 00 s'],
    ['2026-01-05T15:54:50.600Z', '2 h 05 min 10 s'],
    ['2026-01-05T17:59:59.000Z', '0 h 00 min 01 s'],
    // The next window starts when this one ends.
    ['2026-01-05T18:00:00.000Z', '6 h 00 min 00 s'],
    ['2026-01-06T01:00:00.000Z', '5 h 00 min 00 s'],
  ])('is at %s %s', (now, text) => expect(formatCountdown(until, Date.parse(now))).toBe(text))
})
