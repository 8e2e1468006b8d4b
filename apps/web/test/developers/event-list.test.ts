import type { MarketEvent, RugPullEvent } from '@papermoon/contract/market-events'
import { describe, expect, it } from 'vitest'
import {
  addEntries,
  describeEvent,
  type Entry,
  EVENTS_MAX,
  EVERYTHING,
  toAddress,
} from '../../src/features/developers/console/event-list.ts'

const rug = (tokenId: number): MarketEvent => ({
  type: 'rug_pull',
  tokenId: tokenId as RugPullEvent['tokenId'],
  seq: 3,
  userId: 1 as RugPullEvent['userId'],
  username: 'Luna',
  isBot: false,
  amount: '12.5',
  createdAt: '2026-03-01T12:00:00.000Z',
})
const toEntry = (id: number): Entry => ({ id, atMs: 0, event: rug(1) })

describe('the console’s filter', () => {
  it.each([
    [EVERYTHING, '/api/events'],
    [{ ...EVERYTHING, tokens: ' 1, 7 ' }, '/api/events?tokens=1,7'],
    [{ types: ['rug', 'trade'], tokens: '7' }, '/api/events?types=rug,trade&tokens=7'],
    [{ types: [], tokens: '' }, null],
    [{ ...EVERYTHING, tokens: 'MOON' }, null],
    [{ ...EVERYTHING, tokens: '0' }, null],
  ] as const)('of %j is the address %s', (filter, address) => {
    expect(toAddress(filter)).toBe(address)
  })
})

describe('the console’s list', () => {
  it('has the newest first', () => {
    const ids = addEntries([toEntry(1)], [toEntry(2), toEntry(3)]).map(({ id }) => id)
    expect(ids).toEqual([3, 2, 1])
  })

  it('is limited in length', () => {
    const many = Array.from({ length: EVENTS_MAX + 5 }, (_, id) => toEntry(id))
    const list = addEntries(many.toReversed(), [toEntry(1_000)])
    expect(list).toHaveLength(EVENTS_MAX)
    expect(list[0]?.id).toBe(1_000)
  })

  it('says in one line what happened', () => {
    expect(describeEvent(rug(1))).toBe('Luna pulled the rug and took 12.5000 SOL')
  })
})
