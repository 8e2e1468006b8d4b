import type { Db } from '@papermoon/db'
import { withTimeout } from '@papermoon/db'
import type { ReceiptByKind } from '@papermoon/engine'
import { readSeals } from './journal.ts'
import type { LiveFeed } from './live-feed.ts'

/** The numbers of a token's last event and of its last seal, which the first does not count. */
export interface SeenNumbers {
  readonly seq: number
  readonly seals: number
}

/** What a caller's orders left, by token, oldest first. As text: `12.345-13.7.2`, the latter with two seals. */
export type Seen = ReadonlyMap<number, SeenNumbers>

/** The tokens that matter to a caller's next reads are those of the last orders. */
const TOKENS_MAX = 8
const TEXT_MAX = 250
const WAIT_MAX_MS = 1_000

/** Ignores what cannot be read. */
export function parseSeen(text: string | undefined): Seen {
  if (text === undefined || text.length > TEXT_MAX) return new Map()
  const parts = text.split('-').map((part) => /^(\d{1,10})\.(\d{1,9})(?:\.(\d{1,9}))?$/.exec(part))
  return new Map(
    parts.flatMap((part) =>
      part === null ? [] : [[Number(part[1]), { seq: Number(part[2]), seals: Number(part[3] ?? 0) }]],
    ),
  )
}

export function formatSeen(seen: Seen): string {
  return [...seen].map(([id, { seq, seals }]) => (seals === 0 ? `${id}.${seq}` : `${id}.${seq}.${seals}`)).join('-')
}

/** Adds a token as the newest and drops the oldest beyond the max. */
export function addSeen(seen: Seen, tokenId: number, { seq, seals }: SeenNumbers): Seen {
  const others = [...seen].filter(([other]) => other !== tokenId)
  const before = seen.get(tokenId) ?? { seq, seals }
  const newest = { seq: Math.max(seq, before.seq), seals: Math.max(seals, before.seals) }
  return new Map([...others.slice(1 - TOKENS_MAX), [tokenId, newest]])
}

export function isBehindSeen(feed: LiveFeed, seen: Seen): boolean {
  return [...seen].some(
    ([tokenId, { seq, seals }]) => !feed.hasDelivered(tokenId, seq) || feed.getSeals(tokenId) < seals,
  )
}

/**
 * Reads what a caller has seen and this node lacks from the journal. Resolves to false if that fails or takes longer than a second.
 * A claim is believed only as far as the journal goes.
 */
export async function catchUpWithSeen(
  { db, feed }: { readonly db: Db; readonly feed: LiveFeed },
  seen: Seen,
): Promise<boolean> {
  const catchUp = async () => {
    const pools = await db
      .selectFrom('pools')
      .select(['token_id', 'seq', 'seals'])
      .where('token_id', 'in', [...seen.keys()])
      .execute()
    const wanted: Seen = new Map(
      pools.map((pool) => {
        const { seq = 0, seals = 0 } = seen.get(pool.token_id) ?? {}
        return [pool.token_id, { seq: Math.min(pool.seq, seq), seals: Math.min(pool.seals, seals) }]
      }),
    )
    await Promise.all([...wanted].map(([tokenId, { seq }]) => feed.catchUp(tokenId, seq)))
    await publishSeals({ db, feed }, wanted)
    return !isBehindSeen(feed, wanted)
  }
  return await withTimeout(catchUp(), WAIT_MAX_MS).catch(() => false)
}

/** Publishes seals that this node lacks. The poll finds older ones. */
async function publishSeals({ db, feed }: { readonly db: Db; readonly feed: LiveFeed }, wanted: Seen): Promise<void> {
  const tokens = [...wanted].filter(([id, { seals }]) => feed.getSeals(id) < seals).map(([id]) => id)
  if (tokens.length === 0) return
  const seals = await readSeals(db, { after: 0, tokens })
  feed.publish(seals.map(({ event }) => event).filter(({ tokenId, number }) => number > feed.getSeals(tokenId)))
}

/** Notes what an executed order left. */
export function noteReceipt(
  feed: LiveFeed,
  receipt: ReceiptByKind[keyof ReceiptByKind],
  note: (tokenId: number, numbers: SeenNumbers) => void,
): void {
  const tokenId = 'trade' in receipt ? receipt.trade.tokenId : receipt.tokenId
  // The receipts of rug pulls and seals have no number, but their events were delivered before them.
  note(tokenId, { seq: findSeq(receipt) ?? feed.getSeq(tokenId), seals: feed.getSeals(tokenId) })
}

function findSeq(receipt: ReceiptByKind[keyof ReceiptByKind]): number | undefined {
  if ('trade' in receipt) return receipt.trade.seq
  if ('trades' in receipt) return receipt.trades.at(-1)?.seq
  return 'initialTrade' in receipt ? (receipt.initialTrade?.seq ?? 0) : undefined
}
