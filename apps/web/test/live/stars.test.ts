// @vitest-environment jsdom
import type { AppRouter } from '@papermoon/contract/router'
import { userId } from '@papermoon/live/testing'
import { QueryClient } from '@tanstack/react-query'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { type CurrentUser, createClient, type TokenId } from '../../src/lib/api/api.ts'

const id = (number: number) => number as TokenId
/** The default of a second is too short for a loaded machine. */
const WAIT = { timeout: 60_000 }
type Answer = Promise<{ tokenIds: TokenId[] }>
const calls = {
  get: vi.fn<() => Answer>(),
  add: vi.fn<(input: { id: TokenId }) => Answer>(),
  remove: vi.fn<(input: { id: TokenId }) => Answer>(),
  merge: vi.fn<(input: { tokenIds: TokenId[] }) => Answer>(),
}
const client = {
  watchlist: {
    get: { query: calls.get },
    add: { mutate: calls.add },
    remove: { mutate: calls.remove },
    merge: { mutate: calls.merge },
  },
}
const player = { id: userId(1), username: 'barnum', solBalance: '100' } as CurrentUser

/** Opens a page with its own cache. It imports the module again, because the module stores the stars. */
async function openPage(user: CurrentUser | null) {
  const queryClient = new QueryClient()
  const cache = createTRPCQueryUtils<AppRouter>({ queryClient, client: createClient(fetch) })
  vi.resetModules()
  vi.doMock('../../src/lib/api/api.ts', () => ({ cache, client, trpc: createTRPCReact<AppRouter>() }))
  vi.doMock('../../src/lib/api/query-client.ts', () => ({ queryClient }))
  cache.auth.me.setData(undefined, user)
  const stars = await import('../../src/lib/market/stars.ts')
  stars.onStars(() => {})
  return { ...stars, cache }
}

// Reset the modules, because test files of a worker share them.
afterAll(() => {
  vi.doUnmock('../../src/lib/api/api.ts')
  vi.doUnmock('../../src/lib/api/query-client.ts')
  vi.resetModules()
})

beforeEach(() => {
  localStorage.clear()
  vi.resetAllMocks()
})

it('a guest’s stars are stored on the device, with the last one first', async () => {
  const { getStars, toggleStar } = await openPage(null)
  for (const number of [1, 2, 3, 2]) toggleStar(id(number))
  expect(getStars()).toEqual([3, 1])
  expect((await openPage(null)).getStars()).toEqual([3, 1])
})

it('an invalid list on the device counts as no stars', async () => {
  for (const text of ['{', '{}', '["1", -2, 1.5, null]']) {
    localStorage.setItem('papermoon-stars', text)
    expect((await openPage(null)).getStars()).toEqual([])
  }
})

it('at sign-in the device’s stars are sent to the account, once', async () => {
  localStorage.setItem('papermoon-stars', '[7,8]')
  calls.merge.mockResolvedValue({ tokenIds: [id(7), id(8), id(5)] })
  const { getStars } = await openPage(player)
  await vi.waitFor(() => expect(getStars()).toEqual([7, 8, 5]), WAIT)
  expect(calls.merge.mock.calls).toEqual([[{ tokenIds: [7, 8] }]])
  expect(localStorage.getItem('papermoon-stars')).toBeNull()
})

it('stars for which the account has no space stay on the device', async () => {
  localStorage.setItem('papermoon-stars', '[7,8,9]')
  calls.merge.mockResolvedValue({ tokenIds: [id(7), id(5)] })
  const { getStars, cache } = await openPage(player)
  await vi.waitFor(() => expect(getStars()).toEqual([7, 5]), WAIT)
  expect(localStorage.getItem('papermoon-stars')).toBe('[8,9]')
  cache.auth.me.setData(undefined, null)
  await vi.waitFor(() => expect(getStars()).toEqual([8, 9]), WAIT)
})

it('a player’s star is set at once, and removed if the server rejects it', async () => {
  calls.get.mockResolvedValue({ tokenIds: [id(5)] })
  const { getStars, toggleStar } = await openPage(player)
  await vi.waitFor(() => expect(getStars()).toEqual([5]), WAIT)
  const { promise, reject } = Promise.withResolvers<{ tokenIds: TokenId[] }>()
  calls.add.mockReturnValue(promise)
  toggleStar(id(6))
  expect(getStars()).toEqual([6, 5])
  reject(new Error('away'))
  await vi.waitFor(() => expect(getStars()).toEqual([5]), WAIT)
})

it('a response does not remove a star that was set after its call', async () => {
  calls.get.mockResolvedValue({ tokenIds: [] })
  const { getStars, toggleStar, cache } = await openPage(player)
  await vi.waitFor(() => expect(cache.watchlist.get.getData()).toBeDefined(), WAIT)
  const seen: (readonly TokenId[])[] = []
  calls.add.mockImplementation(async () => {
    seen.push(getStars())
    return { tokenIds: seen.length === 1 ? [id(1)] : [id(2), id(1)] }
  })
  toggleStar(id(1))
  toggleStar(id(2))
  await vi.waitFor(() => expect(seen).toHaveLength(2), WAIT)
  expect(seen).toEqual([
    [2, 1],
    [2, 1],
  ])
  expect(getStars()).toEqual([2, 1])
})
