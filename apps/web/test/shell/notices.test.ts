import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toToast } from '../../src/features/shell/bell/to-toast.ts'
import { addNotice, createAnnouncer } from '../../src/features/shell/bell/use-live-notices.ts'
import type { Notice } from '../../src/lib/api/api.ts'

describe('announcing', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('announces the first at once, and the rest of a flood together', () => {
    const told: (readonly number[])[] = []
    const announcer = createAnnouncer<number>({
      announce: (items) => told.push(items),
      getWait: () => 0,
      everyMs: 1_000,
    })
    for (const item of [1, 2, 3]) announcer.add(item)
    expect(told).toEqual([[1]])
    vi.advanceTimersByTime(1_000)
    expect(told).toEqual([[1], [2, 3]])
    vi.advanceTimersByTime(5_000)
    announcer.add(4)
    expect(told).toEqual([[1], [2, 3], [4]])
    announcer.add(5)
    announcer.stop()
    vi.advanceTimersByTime(5_000)
    expect(told).toHaveLength(3)
  })

  it('waits while another toast needs the place', () => {
    const told: (readonly number[])[] = []
    let wait = 300
    const announcer = createAnnouncer<number>({ announce: (items) => told.push(items), getWait: () => wait })
    announcer.add(1)
    announcer.add(2)
    expect(told).toEqual([])
    wait = 0
    vi.advanceTimersByTime(300)
    expect(told).toEqual([[1, 2]])
  })
})

it('a notice that arrives twice is counted once', () => {
  const notice = { id: 7, kind: 'rug', readAt: null } as Notice
  const list = addNotice({ notices: [], unread: 0, news: [], unreadNews: 0 }, notice)
  expect(list).toEqual({ notices: [notice], unread: 1, news: [], unreadNews: 0 })
  expect(addNotice(list, notice)).toBe(list)
})

describe('the announcement', () => {
  const rug = { kind: 'rug', token: { id: 7, symbol: 'WIZ' }, sol: '5', actor: { username: 'ada' } } as Notice
  const sale = { ...rug, kind: 'whale', seq: 9, times: 1 } as Notice

  it('of a rugged holding is a loss with a link to its story, even beside others', () => {
    const loss = { title: 'WIZ was rugged', kind: 'loss', link: { label: 'See what happened', path: '/token/7' } }
    expect(toToast([rug])).toMatchObject(loss)
    expect(toToast([sale, rug])).toMatchObject(loss)
  })

  it('of an order is not lost among others, but two orders are counted', () => {
    const order = { kind: 'order', token: { symbol: 'WAIT' }, order: { type: 'limit', side: 'buy', state: 'filled' } }
    const filled = order as unknown as Notice
    expect(toToast([sale, filled])).toEqual(toToast([filled]))
    expect(toToast([filled, sale, filled])).toMatchObject({ title: '3 new notifications' })
  })

  it('of stickers links to them', () => {
    const sticker = { id: 'crowd-pleaser', emoji: '🎪', name: 'Crowd pleaser', more: 2 }
    const earned = { kind: 'sticker', sticker, actor: { id: 5, username: 'ada' } } as unknown as Notice
    expect(toToast([earned])).toMatchObject({ kind: 'news', link: { path: '/user/5#stickers' } })
  })

  it('of anything else is not shown as a success', () => {
    expect(toToast([sale])).toMatchObject({ kind: 'news' })
    expect(toToast([sale, sale])).toMatchObject({ title: '2 new notifications', kind: 'news' })
  })
})
