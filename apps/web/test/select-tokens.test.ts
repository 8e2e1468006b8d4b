import { expect, it } from 'vitest'
import { selectTokens } from '../src/features/home/sorts.ts'
import type { TokenId } from '../src/lib/api.ts'
import { token } from './fixtures.ts'

const tokens = [
  token({
    id: 1 as TokenId,
    name: 'Paper Moon',
    symbol: 'MOON',
    marketCap: '30',
    createdAt: '2026-01-01T00:00:00.000Z',
  }),
  token({ id: 2 as TokenId, name: 'Goose', symbol: 'HONK', marketCap: '9.5', createdAt: '2026-01-02T00:00:00.000Z' }),
  token({ id: 3 as TokenId, name: 'Ferris', symbol: 'WHEEL', marketCap: '100', createdAt: '2026-01-03T00:00:00.000Z' }),
]
const ids = (search: string, sort: Parameters<typeof selectTokens>[2]) =>
  selectTokens(tokens, search, sort).map((found) => found.id)

it.each([
  ['newest', [3, 2, 1]],
  ['oldest', [1, 2, 3]],
  ['mcap-high', [3, 1, 2]],
  ['mcap-low', [2, 1, 3]],
] as const)('sorts by %s', (sort, order) => {
  expect(ids('', sort)).toEqual(order)
})

it('finds a part of a name or symbol in any case', () => {
  expect(ids('moo', 'newest')).toEqual([1])
  expect(ids(' HoNk ', 'newest')).toEqual([2])
  expect(ids('e', 'newest')).toEqual([3, 2, 1])
  expect(ids('zebra', 'newest')).toEqual([])
})
