import { launchEvent, rugEvent, token, tradeEvent } from '@papermoon/live/testing'
import { describe, expect, it } from 'vitest'
import type { TokenId } from '../../src/lib/api/api.ts'
import { type ListingPage, patchListing } from '../../src/lib/live/live-market.ts'
import { comparisons, type Sort, toListing } from '../../src/lib/market/listing.ts'

const at = (id: number, currentPrice = '0.00000003') =>
  token({ id: id as TokenId, currentPrice, createdAt: `2026-01-0${id}T00:00:00.000Z` })
const page = (tokens: ListingPage['tokens'], nextCursor: string | null = null): ListingPage => ({ tokens, nextCursor })
const trade = (id: number, price: string) => tradeEvent({ seq: 1, tokenId: id as TokenId, price })
const launch = launchEvent(9 as TokenId, '2026-01-09T00:00:00.000Z')
const idsAfter = (pages: ListingPage[], sort: Sort, search = '') =>
  patchListing(pages, [launch], toListing(search, sort)).pages.map(({ tokens }) => tokens.map(({ id }) => id))

describe('the loaded pages of a listing', () => {
  const pages = [page([at(4), at(3)], 'next'), page([at(2), at(1)])]

  it('change only if something happened', () => {
    const patched = patchListing(pages, [trade(2, '0.5')], toListing('', 'newest')).pages
    expect(patched[0]).toBe(pages[0])
    expect(patched[1]?.tokens[0]?.currentPrice).toBe('0.5')
    expect(patched[1]?.tokens[1]).toBe(pages[1]?.tokens[1])
    expect(patchListing(pages, [trade(8, '0.5')], toListing('', 'newest')).pages).toBe(pages)
  })

  it('show a launch at its position, once, with its first trades', () => {
    expect(idsAfter(pages, 'newest')).toEqual([
      [9, 4, 3],
      [2, 1],
    ])
    const listing = toListing('', 'newest')
    const two = patchListing(pages, [launch, launchEvent(10 as TokenId, '2026-01-10T00:00:00.000Z')], listing).pages
    expect(two[0]?.tokens.map(({ id }) => id)).toEqual([10, 9, 4, 3])
    const once = patchListing(pages, [launch, trade(9, '0.7')], listing).pages
    expect(once[0]?.tokens[0]).toMatchObject({ id: 9, currentPrice: '0.7', seq: 1 })
    expect(patchListing(once, [launch, trade(9, '0.7')], listing).pages).toBe(once)
  })

  it('show no launch that does not match the search', () => {
    expect(idsAfter(pages, 'newest', 'MOON')[0]).toEqual([9, 4, 3])
    expect(idsAfter(pages, 'newest', 'goose')).toEqual([
      [4, 3],
      [2, 1],
    ])
  })

  it('lose a rugged token, and a launch that was rugged since, if rugged tokens are hidden', () => {
    const rugged = (id: number) => ({ ...rugEvent(2), tokenId: id as TokenId })
    const idsIn = (hides: boolean) =>
      patchListing(pages, [launch, trade(9, '0.7'), rugged(9), rugged(3)], toListing('', 'newest', hides)).pages.map(
        ({ tokens }) => tokens.map(({ id }) => id),
      )
    expect(idsIn(true)).toEqual([[4], [2, 1]])
    expect(idsIn(false)).toEqual([
      [9, 4, 3],
      [2, 1],
    ])
    const others = [trade(2, '0.5')]
    expect(patchListing(pages, others, toListing('', 'newest', true)).pages[0]).toBe(pages[0])
  })

  it('show a launch after the last token only if there is no further page', () => {
    const oldest = [page([at(1), at(2)])]
    expect(idsAfter(oldest, 'oldest')).toEqual([[1, 2, 9]])
    expect(idsAfter([page([at(1), at(2)], 'next')], 'oldest')).toEqual([[1, 2]])
    expect(idsAfter([page([at(1, '5'), at(2, '4')], 'next')], 'mcap-high')).toEqual([[1, 2]])
    expect(idsAfter([page([at(1, '5'), at(2, '0.00000002')], 'next')], 'mcap-high')).toEqual([[1, 2, 9]])
  })

  it.each([
    ['mcap-high', '3', '1'],
    ['mcap-low', '1', '3'],
  ] as const)('by %s are stale when a token crosses their end', (sort, inside, outside) => {
    const loaded = [page([at(1, inside), at(2, '2')], 'next')]
    const isStale = (id: number, price: string, of = loaded, search = '') =>
      patchListing(of, [trade(id, price)], toListing(search, sort)).stale
    expect(isStale(8, inside)).toBe(true)
    expect(isStale(8, outside)).toBe(false)
    expect(isStale(1, outside)).toBe(true)
    expect(isStale(1, inside)).toBe(false)
    // With a search it is unknown whether the token matches. And if all pages are loaded, there is no end to cross.
    expect(isStale(8, inside, loaded, 'moon')).toBe(false)
    expect(isStale(1, outside, [page(loaded[0]?.tokens ?? [])])).toBe(false)
  })
})

it('a list by last trade is stale when a token that is not loaded was traded', () => {
  const loaded = [page([at(2), at(1)], 'next')]
  const isStale = (id: number, pages = loaded, search = '') =>
    patchListing(
      pages,
      [tradeEvent({ seq: 1, tokenId: id as TokenId, createdAt: '2026-02-01T00:00:00.000Z' })],
      toListing(search, 'last-trade'),
    ).stale
  expect(isStale(8)).toBe(true)
  expect(isStale(2)).toBe(false)
  expect(isStale(8, loaded, 'moon')).toBe(false)
  expect(isStale(8, [page([at(2), at(1)])])).toBe(false)
})

it('tokens are ordered by their last trade, and by their launch before it', () => {
  const launched = (id: number) => ({ ...at(id), lastEventAt: at(id).createdAt })
  const tokens = [launched(1), { ...launched(2), lastEventAt: '2026-01-05T00:00:00.000Z' }, launched(3)]
  expect(tokens.sort(comparisons['last-trade']).map(({ id }) => id)).toEqual([2, 3, 1])
})

it.each([
  ['newest', [3, 2, 1]],
  ['oldest', [1, 2, 3]],
  ['mcap-high', [3, 1, 2]],
  ['mcap-low', [2, 1, 3]],
] as const)('tokens are ordered by %s as the server does', (sort, order) => {
  const tokens = [at(1, '30'), at(2, '9.5'), at(3, '100')]
  expect(tokens.sort(comparisons[sort]).map(({ id }) => id)).toEqual(order)
})
