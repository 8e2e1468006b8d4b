import { describe, expect, it } from 'vitest'
import type { KeyedTrade } from './faults/support/exact-journal.ts'
import { type Evidence, judge, listFaults } from './scale/judge.ts'
import { listFailures, toTable } from './scale/report.ts'

const trade = (id: number, tokenId: number, seq: number): KeyedTrade => ({
  id,
  tokenId: tokenId as KeyedTrade['tokenId'],
  seq,
  side: 'buy',
  solAmount: '0.01',
  fee: '0.0001',
  tokenAmount: '100',
  price: '0.0001',
  spotPrice: '0.0001',
  createdAt: '2026-01-01T00:00:00.000Z',
  userId: 1 as KeyedTrade['userId'],
  key: `1 order-${id}`,
})

/** Two tokens: two trades of the first, one of the second. */
const journal = [trade(1, 1, 1), trade(2, 1, 2), trade(3, 2, 1)]
const shown = [
  { seq: 1, tradeId: 1 },
  { seq: 2, tradeId: 2 },
]
const page = { kind: 'page', tokenId: 1, after: 0, events: shown } as const
const program = { ...page, kind: 'program' } as const
const token = { read: 'token', wantedSeq: 2, seq: 2, isMarkedStale: false } as const
const history = { read: 'history', wantedBalance: '99.5', balance: '99.5', isMarkedStale: false } as const
const good: Evidence = {
  acknowledged: journal,
  interrupted: 1,
  unresolved: 0,
  journal,
  reads: [token, history],
  feeds: [page, program],
  audit: [],
}

const judgeWith = (change: Partial<Evidence>) => judge({ ...good, ...change })

describe('the judge of a run at scale', () => {
  it('finds no fault where all promises were kept', () => {
    const verdict = judge(good)
    expect(verdict).toEqual({
      acknowledged: 3,
      lost: 0,
      doubled: 0,
      interrupted: 1,
      unresolved: 0,
      reads: 2,
      stale: 0,
      markedStale: 0,
      events: 4,
      missed: 0,
      gone: 0,
      differences: 0,
    })
    expect(listFaults(verdict)).toEqual([])
  })

  it.each([
    ['that the journal lacks', journal.slice(1)],
    ['with another amount than it was answered', [{ ...trade(1, 1, 1), solAmount: '0.02' }, ...journal.slice(1)]],
    ['under the key of another order', [{ ...trade(1, 1, 1), key: '1 order-9' }, ...journal.slice(1)]],
  ])('counts an acknowledged order as lost %s', (_, stored) => {
    const verdict = judgeWith({ journal: stored })
    expect(verdict.lost).toBe(1)
    expect(listFaults(verdict)).toContain('1 acknowledged orders are lost')
  })

  it('counts one of two orders as lost that were answered with the same trade', () => {
    expect(judgeWith({ acknowledged: [...journal, trade(1, 1, 1)] })).toMatchObject({ lost: 1, doubled: 0 })
  })

  it('counts a trade as doubled that no order was answered with', () => {
    const again = { ...trade(4, 1, 3), key: trade(1, 1, 1).key }
    const feeds = [{ ...page, events: [...shown, { seq: 3, tradeId: 4 }] }]
    const verdict = judgeWith({ journal: [...journal, again], feeds })
    expect(verdict).toMatchObject({ lost: 0, doubled: 1, missed: 0 })
    expect(listFaults(verdict)).toEqual(['1 trades belong to no acknowledged order'])
  })

  it.each([
    ['a token without the order', { ...token, seq: 1 }],
    ['a balance from before the order', { ...history, balance: '100' }],
  ])('counts %s as a stale read', (_, read) => {
    const verdict = judgeWith({ reads: [token, history, read] })
    expect(verdict).toMatchObject({ reads: 3, stale: 1 })
    expect(listFaults(verdict)).toEqual(['1 reads lacked their caller’s order'])
  })

  it('forgives a stale read that says so, and counts it', () => {
    const verdict = judgeWith({ reads: [token, { ...token, seq: 1, isMarkedStale: true }] })
    expect(verdict).toMatchObject({ stale: 0, markedStale: 1 })
    expect(listFaults(verdict)).toEqual([])
  })

  it.each([
    ['a page that lacks the first event', { ...page, events: shown.slice(1) }, 2],
    ['a page that lacks the last event', { ...page, events: shown.slice(0, 1) }, 1],
    ['a page that shows an event twice', { ...page, events: [...shown, { seq: 2, tradeId: 2 }] }, 1],
    ['a page that shows events out of order', { ...page, events: shown.toReversed() }, 2],
    ['a program that lacks an event', { ...program, events: shown.slice(1) }, 1],
    ['a program that got nothing', { ...program, events: [] }, 2],
  ])('counts missed events of %s', (_, feed, missed) => {
    const verdict = judgeWith({ feeds: [page, feed] })
    expect(verdict.missed).toBe(missed)
    expect(listFaults(verdict)).toEqual([`${missed} events were missed`])
  })

  it('lets a program see events again, and none from before it began', () => {
    const again = { ...program, events: [...shown, ...shown] }
    const later = { ...program, after: 1, events: shown.slice(1) }
    expect(judgeWith({ feeds: [again, later] })).toMatchObject({ missed: 0, gone: 0 })
  })

  it.each([
    ['of a trade that the journal has under another number', [shown[0], { seq: 2, tradeId: 7 }]],
    ['beyond the journal', [...shown, { seq: 3, tradeId: 8 }]],
  ])('counts an event as gone %s', (_, events) => {
    const feed = { ...program, events: events.filter((event) => event !== undefined) }
    const verdict = judgeWith({ feeds: [feed] })
    expect(verdict).toMatchObject({ missed: 0, gone: 1 })
    expect(listFaults(verdict)).toEqual(['1 events were shown and are gone'])
  })

  it('is red for an order without an answer and for an inexact audit', () => {
    expect(listFaults(judgeWith({ unresolved: 2 }))).toEqual(['2 orders were never answered'])
    expect(listFaults(judgeWith({ audit: ['the pool of token 1 differs'] }))).toEqual(['the audit found 1 differences'])
  })

  it('is red for a run in which nothing happened', () => {
    const nothing = judgeWith({ acknowledged: [], journal: [], reads: [], feeds: [] })
    expect(listFaults(nothing)).toEqual(['no order was acknowledged', 'nothing was read', 'no feed showed an event'])
  })
})

describe('the table of a run at scale', () => {
  const seen = {
    verdict: judge(good),
    gaps: [
      { fault: 'the primary killed', seconds: 21.04 },
      { fault: 'a node killed', seconds: 0.31 },
      { fault: 'the primary killed', seconds: 22.46 },
    ],
    seconds: 301.2,
    failures: [],
    resumed: 4,
  }

  it('has a row a figure, and one a fault with the seconds of each time', () => {
    expect(toTable(seen)).toEqual([
      'orders acknowledged      3 in 301 s',
      'lost                     0',
      'doubled                  0',
      'interrupted              1, of which resolved 1',
      'gap: the primary killed  21.0, 22.5 s',
      'gap: a node killed       0.3 s',
      'stale reads              0 of 2, 0 said that they may be stale',
      'missed events            0 of 4, 4 connections resumed',
      'shown and then gone      0',
      'audit                    exact',
    ])
  })

  it('is followed by what broke a player, before what the judge found', () => {
    const failures = listFailures({ verdict: judgeWith({ unresolved: 1 }), failures: ['order 1-0-7 hangs'] })
    expect(failures).toEqual(['order 1-0-7 hangs', '1 orders were never answered'])
  })
})
