import { isDeepStrictEqual } from 'node:util'
import type { KeyedTrade } from '../faults/support/exact-journal.ts'
import { countMissed } from '../support/count-missed.ts'
import type { FollowedEvent } from '../support/follow-token.ts'

/** A read right after its caller's order, through any node. */
export type ReadSeen = {
  /** Whether the answer said that it may be stale (`Warning: 110`). */
  readonly isMarkedStale: boolean
} & (
  | { readonly read: 'token'; readonly wantedSeq: number; readonly seq: number }
  | { readonly read: 'history'; readonly wantedBalance: string; readonly balance: string }
)

/** What a feed showed of a token, in the order of arrival. */
export interface FeedSeen {
  /** `page`: each event once and in order; `program`: each at least once. */
  readonly kind: 'page' | 'program'
  readonly tokenId: number
  /** The last sequence number before it began. */
  readonly after: number
  readonly events: readonly FollowedEvent[]
}

/** What players, readers and feeds saw in a run, and what the database has in the end. */
export interface Evidence {
  /** The trades that orders were answered with, each under its order's key. */
  readonly acknowledged: readonly KeyedTrade[]
  /** Of those, the orders that at least once got no answer or were told to try again. */
  readonly interrupted: number
  /** Orders whose outcome their player never learned. */
  readonly unresolved: number
  readonly journal: readonly KeyedTrade[]
  readonly reads: readonly ReadSeen[]
  readonly feeds: readonly FeedSeen[]
  /** Differences that the audit found. */
  readonly audit: readonly string[]
}

/** The counts of a run. All but `acknowledged`, `interrupted`, `reads`, `markedStale` and `events` must be 0. */
export interface Verdict {
  readonly acknowledged: number
  /** Acknowledged orders that the journal lacks, or has otherwise than they were answered. */
  readonly lost: number
  /** Trades of the journal that no acknowledged order accounts for. */
  readonly doubled: number
  readonly interrupted: number
  readonly unresolved: number
  readonly reads: number
  /** Reads that lacked their caller's order and did not say so. */
  readonly stale: number
  /** Reads that said that they may be stale. */
  readonly markedStale: number
  readonly events: number
  /** Events that a feed did not show; on a page also those that came twice or out of order. */
  readonly missed: number
  /** Events that were shown of trades that the journal does not have. */
  readonly gone: number
  readonly differences: number
}

/** Compares what was seen with the journal. */
export function judge({ acknowledged, interrupted, unresolved, journal, reads, feeds, audit }: Evidence): Verdict {
  const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0)
  const byToken = Map.groupBy(journal, ({ tokenId }) => tokenId)
  const matched = countMatched(acknowledged, journal)
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.length - matched,
    doubled: journal.length - matched,
    interrupted,
    unresolved,
    reads: reads.length,
    stale: reads.filter(isStale).length,
    markedStale: reads.filter(({ isMarkedStale }) => isMarkedStale).length,
    events: sum(feeds.map(({ events }) => events.length)),
    missed: sum(feeds.map((feed) => countMissing(feed, toTradeIds(byToken, feed)))),
    gone: sum(feeds.map((feed) => countGone(feed, toTradeIds(byToken, feed)))),
    differences: audit.length,
  }
}

/** The broken promises of a verdict, a sentence each; empty: all were kept. A run without orders, reads or events proves nothing. */
export function listFaults(verdict: Verdict): string[] {
  const { acknowledged, reads, events, lost, doubled, unresolved, stale, missed, gone, differences } = verdict
  const faults: (readonly [boolean, string])[] = [
    [acknowledged === 0, 'no order was acknowledged'],
    [reads === 0, 'nothing was read'],
    [events === 0, 'no feed showed an event'],
    [lost > 0, `${lost} acknowledged orders are lost`],
    [doubled > 0, `${doubled} trades belong to no acknowledged order`],
    [unresolved > 0, `${unresolved} orders were never answered`],
    [stale > 0, `${stale} reads lacked their caller’s order`],
    [missed > 0, `${missed} events were missed`],
    [gone > 0, `${gone} events were shown and are gone`],
    [differences > 0, `the audit found ${differences} differences`],
  ]
  return faults.flatMap(([isBroken, sentence]) => (isBroken ? [sentence] : []))
}

/** Whether a read lacked its caller's order and did not say so. */
export function isStale(read: ReadSeen): boolean {
  if (read.isMarkedStale) return false
  return read.read === 'token' ? read.seq < read.wantedSeq : read.balance !== read.wantedBalance
}

/** Acknowledged orders that have a trade of their own in the journal, exactly as it was answered. */
function countMatched(acknowledged: readonly KeyedTrade[], journal: readonly KeyedTrade[]): number {
  const unmatched = new Map(journal.map((trade) => [trade.id, trade]))
  let matched = 0
  for (const trade of acknowledged) {
    if (!isDeepStrictEqual(unmatched.get(trade.id), trade)) continue
    unmatched.delete(trade.id)
    matched++
  }
  return matched
}

/** The trades that a feed had to show, by sequence number. */
function toTradeIds(byToken: ReadonlyMap<number, readonly KeyedTrade[]>, feed: FeedSeen): ReadonlyMap<number, number> {
  return new Map(byToken.get(feed.tokenId)?.map(({ seq, id }) => [seq, id]))
}

function countMissing({ kind, after, events }: FeedSeen, tradeIds: ReadonlyMap<number, number>): number {
  if (kind === 'page') {
    const seqs = events.map(({ seq }) => seq)
    return countMissed(seqs, { after, last: Math.max(after, ...tradeIds.keys()) })
  }
  const shown = new Set(events.map(({ seq }) => seq))
  return [...tradeIds.keys()].filter((seq) => seq > after && !shown.has(seq)).length
}

function countGone({ events }: FeedSeen, tradeIds: ReadonlyMap<number, number>): number {
  return events.filter(({ seq, tradeId }) => tradeIds.get(seq) !== tradeId).length
}
