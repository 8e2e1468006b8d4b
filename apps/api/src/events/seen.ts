import type { Database } from '@papermoon/db'
import { withTimeout } from '@papermoon/db'
import type { ReceiptByKind } from '@papermoon/engine'
import type { Kysely } from 'kysely'
import type { LiveFeed } from './live-feed.ts'

/** The last sequence number that a caller's orders left, by token, oldest first. As text: `12.345-13.7`. */
export type Seen = ReadonlyMap<number, number>

/** The tokens that matter to a caller's next reads are those of the last orders. */
const TOKENS_MAX = 8
const TEXT_MAX = 200
const WAIT_MAX_MS = 1_000

/** Ignores what cannot be read. */
export function parseSeen(text: string | undefined): Seen {
  if (text === undefined || text.length > TEXT_MAX) return new Map()
  const parts = text.split('-').map((part) => /^(\d{1,9})\.(\d{1,9})$/.exec(part))
  return new Map(parts.flatMap((part) => (part === null ? [] : [[Number(part[1]), Number(part[2])]])))
}

export function formatSeen(seen: Seen): string {
  return [...seen].map(([tokenId, seq]) => `${tokenId}.${seq}`).join('-')
}

/** Adds a token as the newest and drops the oldest beyond the max. */
export function addSeen(seen: Seen, tokenId: number, seq: number): Seen {
  const others = [...seen].filter(([other]) => other !== tokenId)
  return new Map([...others.slice(1 - TOKENS_MAX), [tokenId, Math.max(seq, seen.get(tokenId) ?? 0)]])
}

export function isBehindSeen(feed: LiveFeed, seen: Seen): boolean {
  return [...seen].some(([tokenId, seq]) => !feed.hasDelivered(tokenId, seq))
}

/**
 * Reads what a caller has seen and this node lacks from the journal. Resolves to false if that fails or takes longer than a second.
 * A claim is believed only as far as the journal goes.
 */
export async function catchUpWithSeen(
  { db, feed }: { readonly db: Kysely<Database>; readonly feed: LiveFeed },
  seen: Seen,
): Promise<boolean> {
  const catchUp = async () => {
    const pools = await db
      .selectFrom('pools')
      .select(['token_id', 'seq'])
      .where('token_id', 'in', [...seen.keys()])
      .execute()
    const wanted: Seen = new Map(pools.map((pool) => [pool.token_id, Math.min(pool.seq, seen.get(pool.token_id) ?? 0)]))
    await Promise.all([...wanted].map(([tokenId, seq]) => feed.catchUp(tokenId, seq)))
    return !isBehindSeen(feed, wanted)
  }
  return await withTimeout(catchUp(), WAIT_MAX_MS).catch(() => false)
}

/** Notes which sequence number an executed order left. */
export function noteReceipt(
  feed: LiveFeed,
  receipt: ReceiptByKind[keyof ReceiptByKind],
  note: (tokenId: number, seq: number) => void,
): void {
  if ('trade' in receipt) note(receipt.trade.tokenId, receipt.trade.seq)
  else if ('initialTrade' in receipt) note(receipt.tokenId, receipt.initialTrade?.seq ?? 0)
  // A rug pull's receipt has no number, but its event was delivered before it.
  else note(receipt.tokenId, feed.getSeq(receipt.tokenId))
}
