import type { Database } from '@papermoon/db'
import { withTimeout } from '@papermoon/db'
import type { OrderEntry, ReceiptByKind } from '@papermoon/engine'
import type { Kysely } from 'kysely'
import type { LiveFeed } from '../events/live-feed.ts'

/** The header of an answer to an order, and of a read that must contain it: `12.345-13.7`. */
export const SEEN_HEADER = 'papermoon-seen'
export const SEEN_COOKIE = 'papermoon_seen'

/** The last sequence number that a caller has seen, by token; oldest first. */
export type Seen = ReadonlyMap<number, number>

/** The tokens that matter to a caller's next reads are those of the last orders. */
const TOKENS_MAX = 8
const TEXT_MAX = 200
const WAIT_MAX_MS = 1_000

/** Parses what a client sent; ignores what cannot be read. */
export function parseSeen(text: string | undefined): Seen {
  const seen = new Map<number, number>()
  if (text === undefined || text.length > TEXT_MAX) return seen
  for (const part of text.split('-').slice(0, TOKENS_MAX)) {
    const [, tokenId, seq] = /^(\d{1,10})\.(\d{1,10})$/.exec(part) ?? []
    if (tokenId !== undefined && seq !== undefined) seen.set(Number(tokenId), Number(seq))
  }
  return seen
}

export function formatSeen(seen: Seen): string {
  return [...seen].map(([tokenId, seq]) => `${tokenId}.${seq}`).join('-')
}

/** Adds a token as the newest and drops the oldest beyond the max. */
export function addSeen(seen: Seen, tokenId: number, seq: number): Seen {
  const rest = [...seen].filter(([other]) => other !== tokenId)
  return new Map([...rest.slice(1 - TOKENS_MAX), [tokenId, Math.max(seq, seen.get(tokenId) ?? 0)]])
}

/** Whether this node has not delivered all that the caller has seen. */
export function isBehindSeen(feed: LiveFeed, seen: Seen): boolean {
  return [...seen].some(([tokenId, seq]) => feed.lacks(tokenId, seq))
}

/**
 * Brings the feed up to what a caller has seen, from the journal. Resolves to false if that takes longer than a second. A claim is
 * believed only as far as the journal goes, so a false one costs a single query.
 */
export async function catchUpWithSeen(
  { db, feed }: { readonly db: Kysely<Database>; readonly feed: LiveFeed },
  seen: Seen,
): Promise<boolean> {
  const lacking = [...seen].filter(([tokenId, seq]) => feed.lacks(tokenId, seq))
  if (lacking.length === 0) return true
  try {
    await withTimeout(deliverLacking({ db, feed }, lacking), WAIT_MAX_MS)
    return true
  } catch {
    return false
  }
}

async function deliverLacking(
  { db, feed }: { readonly db: Kysely<Database>; readonly feed: LiveFeed },
  lacking: readonly (readonly [tokenId: number, seq: number])[],
): Promise<void> {
  const claims = new Map(lacking)
  const pools = await db
    .selectFrom('pools')
    .select(['token_id', 'seq'])
    .where('token_id', 'in', [...claims.keys()])
    .execute()
  await Promise.all(
    pools.map(async ({ token_id, seq }) => await deliver(feed, token_id, Math.min(seq, claims.get(token_id) ?? 0))),
  )
}

async function deliver(feed: LiveFeed, tokenId: number, seq: number): Promise<void> {
  if (!feed.lacks(tokenId, seq)) return
  const { promise: delivered, resolve } = Promise.withResolvers<void>()
  const detach = feed.onTokenEvent(tokenId, () => {
    if (!feed.lacks(tokenId, seq)) resolve()
  })
  // The listener goes too when nobody waits any more.
  const timer = setTimeout(resolve, WAIT_MAX_MS)
  feed.catchUp(tokenId, seq)
  await delivered
  clearTimeout(timer)
  detach()
}

/** An engine that reports which sequence number each executed order left. */
export function noteReceipts(
  engine: OrderEntry,
  feed: LiveFeed,
  note: (tokenId: number, seq: number) => void,
): OrderEntry {
  return {
    dryRun: (order) => engine.dryRun(order),
    findPending: (userId, requestKey) => engine.findPending(userId, requestKey),
    submit: async (order) => {
      const receipt = await engine.submit(order)
      const [tokenId, seq] = findLeft(receipt, feed)
      note(tokenId, seq)
      return receipt
    },
  }
}

/** A rug pull's receipt has no number, but its event was delivered before it. */
function findLeft(receipt: ReceiptByKind[keyof ReceiptByKind], feed: LiveFeed): [tokenId: number, seq: number] {
  if ('trade' in receipt) return [receipt.trade.tokenId, receipt.trade.seq]
  if ('initialTrade' in receipt) return [receipt.tokenId, receipt.initialTrade?.seq ?? 0]
  return [receipt.tokenId, feed.getSeq(receipt.tokenId)]
}
