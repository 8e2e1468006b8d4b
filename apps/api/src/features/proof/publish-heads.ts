import { createHash } from 'node:crypto'
import { headLine, publicationStart } from '@papermoon/chain'
import type { Database } from '@papermoon/db'
import type { Kysely, Transaction } from 'kysely'
import {
  findHeads,
  findPublication,
  keepMovedHeads,
  lastHour,
  lockPublishing,
  recordPublication,
} from './heads-store.ts'

const HOUR_MS = 3_600_000
/** Enough for a hundred thousand tokens that all changed; nobody waits for it. */
const STATEMENT_TIMEOUT_MS = 60_000
/** Heads in memory at once. */
const PAGE = 5_000

export function startOfHour(now: Date): Date {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
}

/**
 * The number of tokens, or why nothing was published: this hour is published; a later one is (a clock was wrong);
 * another node is publishing; there is no token.
 */
export type Published = number | 'before' | 'ahead' | 'elsewhere' | 'nothing'

/** Publishes the current heads of all chains for this hour. On `stopping` it throws, and nothing is published. */
export async function publishHeads(db: Kysely<Database>, now: Date, stopping?: AbortSignal): Promise<Published> {
  const hour = startOfHour(now)
  // Read committed: after taking the lock, it sees what was published before.
  return await db.transaction().execute(async (tx) => {
    if (!(await lockPublishing(tx, STATEMENT_TIMEOUT_MS))) return 'elsewhere'
    const last = await lastHour(tx)
    if (last !== null && last >= hour) return last > hour ? 'ahead' : 'before'
    const previous = last === null ? null : ((await findPublication(tx, last))?.digest ?? null)
    await keepMovedHeads(tx, hour)
    const { tokens, digest } = await computeDigest(tx, { hour, previous }, stopping)
    if (tokens === 0) return 'nothing'
    await recordPublication(tx, { hour, published_at: now, tokens, previous, digest })
    return tokens
  })
}

async function computeDigest(
  tx: Transaction<Database>,
  { hour, previous }: { readonly hour: Date; readonly previous: string | null },
  stopping?: AbortSignal,
): Promise<{ tokens: number; digest: string }> {
  const digest = createHash('sha256').update(publicationStart({ hour: hour.toISOString(), previous }))
  let tokens = 0
  let after = 0
  for (;;) {
    stopping?.throwIfAborted()
    const heads = await findHeads(tx, hour, { after, limit: PAGE })
    for (const head of heads) digest.update(headLine(head))
    tokens += heads.length
    after = heads.at(-1)?.tokenId ?? after
    if (heads.length < PAGE) return { tokens, digest: digest.digest('hex') }
  }
}
