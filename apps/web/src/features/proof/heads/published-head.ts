import type { ChainPlace } from '@papermoon/chain'
import { cache, client, type TokenId } from '../../../lib/api/api.ts'
import { getReason } from '../../../lib/api/failure.ts'
import type { Walked } from '../chain/walk-chain.ts'

/** Where a token's chain stood in the last publication. */
export interface PublishedPlace extends ChainPlace {
  /** The hour of the publication, ISO 8601. */
  readonly hour: string
}

/**
 * How the chain of today and the published head go together: `none`, the token was not published yet; `before`, it was, at an
 * entry before the first that was verified; `same`, the chain goes through it; `other`, it does not.
 */
export type Comparison =
  | { readonly kind: 'none' }
  | { readonly kind: 'before' | 'same'; readonly published: PublishedPlace }
  | { readonly kind: 'other'; readonly published: PublishedPlace; readonly found: string | null }

/** What was published last of a token; null before the first time. */
export async function fetchPublishedHead(id: TokenId, signal: AbortSignal): Promise<PublishedPlace | null> {
  // On a market that is new, asking would only bring a refusal.
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

/** Whether a verified chain goes through what was published; the walk had it as its witness. */
export function compareWithPublished(published: PublishedPlace | null, { start, witnessed }: Walked): Comparison {
  if (published === null) return { kind: 'none' }
  if (witnessed === published.hash) return { kind: 'same', published }
  // Where the walk began behind it, nothing is known; where it ended before it, the chain got shorter.
  if (published.seq < start.seq) return { kind: 'before', published }
  return { kind: 'other', published, found: witnessed }
}
