// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FiguresStore } from '../../src/features/home/cards/figures-store.ts'
import type { CardFigures, TokenId } from '../../src/lib/api/api.ts'

const id = (number: number) => number as TokenId
const figures = (ids: readonly TokenId[], holders = 1): CardFigures[] =>
  ids.map((one) => ({ id: one, holders, areHoldersExact: true, sparkline: ['1', '2'] }))

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

it('reads all cards that are mounted together in one call, and no token twice', async () => {
  const read = vi.fn(async (ids: readonly TokenId[]) => figures(ids))
  const store = new FiguresStore(read)
  for (const number of [1, 2, 3, 2]) store.watch(id(number), () => {})
  await vi.advanceTimersByTimeAsync(100)
  expect(read.mock.calls).toEqual([[[1, 2, 3]]])
  store.watch(id(4), () => {})
  await vi.advanceTimersByTimeAsync(100)
  expect(read.mock.calls.slice(1)).toEqual([[[4]]])
})

it('asks for at most 48 tokens per call', async () => {
  const read = vi.fn(async (ids: readonly TokenId[]) => figures(ids))
  const store = new FiguresStore(read)
  for (let number = 1; number <= 60; number++) store.watch(id(number), () => {})
  await vi.advanceTimersByTimeAsync(300)
  expect(read.mock.calls.map(([ids]) => ids.length)).toEqual([48, 12])
})

it('reads mounted cards again from time to time and notifies them, and no others', async () => {
  let holders = 1
  const read = vi.fn(async (ids: readonly TokenId[]) => figures(ids, holders))
  const store = new FiguresStore(read)
  const heard = vi.fn()
  store.watch(id(1), heard)
  const leave = store.watch(id(2), heard)
  await vi.advanceTimersByTimeAsync(100)
  leave()
  holders = 2
  await vi.advanceTimersByTimeAsync(30_000)
  expect(read.mock.calls.slice(1)).toEqual([[[1]]])
  expect([store.get(id(1))?.holders, store.get(id(2))?.holders, heard.mock.calls.length]).toEqual([2, 1, 3])
})

it('tries again later if a read fails, and waits before it asks again for an unknown token', async () => {
  const read = vi.fn(async (): Promise<CardFigures[]> => [])
  read.mockRejectedValueOnce(new Error('away'))
  const store = new FiguresStore(read)
  store.watch(id(1), () => {})
  await vi.advanceTimersByTimeAsync(4_000)
  expect(read).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(read).toHaveBeenCalledTimes(2)
  expect(store.get(id(1))).toBeUndefined()
})
