import type { MomentAt, MomentAtInput } from '@papermoon/contract/past'
import { TokenNotFoundError } from '@papermoon/engine'
import { type PastReader, readPast } from './read-token.ts'
import { findSeqAt, findTokenNow } from './store.ts'

/**
 * Finds a token's last event at or before a time, or the launch if the time is before it. Throws `TokenNotFoundError`.
 */
export async function findMomentAt(reader: PastReader, { tokenId, time }: MomentAtInput): Promise<MomentAt> {
  return await readPast(reader, async (snapshot) => {
    const now = await findTokenNow(snapshot, tokenId)
    if (now === undefined) throw new TokenNotFoundError()
    const found = await findSeqAt(snapshot, tokenId, now.last_seq, time)
    return { tokenId, seq: found?.seq ?? 0, time: (found?.created_at ?? now.created_at).toISOString() }
  })
}
