import type { ChainPosition } from '@papermoon/chain'
import { cache, client, type TokenId } from '../../../lib/api/api.ts'
import { getReason } from '../../../lib/api/failure.ts'
import type { Walked } from '../chain/walk-chain.ts'

/** A token's last hash in the latest publication. */
export interface PublishedCheckpoint extends ChainPosition {
  readonly hour: string
}

/**
 * The result of the comparison of a chain with the published hash. `none`: no hash of the token is published yet.
 * `before`: the published entry is older than the first verified entry. `same`: the chain contains the hash. `other`:
 * the chain does not contain the hash.
 */
export type Comparison =
  | { readonly kind: 'none' }
  | { readonly kind: 'before' | 'same'; readonly published: PublishedCheckpoint }
  | { readonly kind: 'other'; readonly published: PublishedCheckpoint; readonly found: string | null }

/** Returns the token's hash in the latest publication, or null if there is none yet. */
export async function fetchPublishedCheckpoint(id: TokenId, signal: AbortSignal): Promise<PublishedCheckpoint | null> {
  // Do not ask in a new market, because the server rejects the request before the first publication.
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

/** Compares a verified chain with the published hash. The verification recorded the chain's hash as its witness. */
export function compareWithPublished(published: PublishedCheckpoint | null, { start, witnessed }: Walked): Comparison {
  if (published === null) return { kind: 'none' }
  if (witnessed === published.hash) return { kind: 'same', published }
  // If the verification started after the published entry, the result is unknown. If the verification ended before the
  // published entry, the chain has become shorter.
  if (published.seq < start.seq) return { kind: 'before', published }
  return { kind: 'other', published, found: witnessed }
}
