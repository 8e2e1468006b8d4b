import type { ChainPosition } from '@papermoon/chain'
import { cache, client, type TokenId } from '../../../lib/api/api.ts'
import { getReason } from '../../../lib/api/failure.ts'
import type { Walked } from '../chain/walk-chain.ts'

/** A token's entry in the latest publication. */
export interface PublishedCheckpoint extends ChainPosition {
  /** The hour of the publication, ISO 8601. */
  readonly hour: string
}

/**
 * Compares a chain with the published checkpoint. `none`: the token is not published yet. `before`: the checkpoint is
 * before the first verified entry. `same`: the chain contains it. `other`: the chain does not contain it.
 */
export type Comparison =
  | { readonly kind: 'none' }
  | { readonly kind: 'before' | 'same'; readonly published: PublishedCheckpoint }
  | { readonly kind: 'other'; readonly published: PublishedCheckpoint; readonly found: string | null }

/** Returns the token's latest published checkpoint, or null if it has none yet. */
export async function fetchPublishedCheckpoint(id: TokenId, signal: AbortSignal): Promise<PublishedCheckpoint | null> {
  // A new market has no publication, so the server would reject the request.
  const { heads: newest } = await cache.proof.summary.ensureData()
  if (newest === null) return null
  try {
    const { hour, heads } = await client.proof.heads.query({ after: id - 1, limit: 1 }, { signal })
    const [head] = heads
    return head === undefined || head.tokenId !== id ? null : { hour, seq: head.seq, hash: head.hash }
  } catch (error) {
    if (getReason(error) === 'NOT_FOUND') return null
    throw error
  }
}

/** Returns whether a verified chain contains the published checkpoint, whose hash the walk recorded as its witness. */
export function compareWithPublished(published: PublishedCheckpoint | null, { start, witnessed }: Walked): Comparison {
  if (published === null) return { kind: 'none' }
  if (witnessed === published.hash) return { kind: 'same', published }
  // The result is unknown if the walk started after the checkpoint. If the walk ended before it, the chain became
  // shorter.
  if (published.seq < start.seq) return { kind: 'before', published }
  return { kind: 'other', published, found: witnessed }
}
