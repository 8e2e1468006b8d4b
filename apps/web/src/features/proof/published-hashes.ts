import type { ChainPosition } from '@papermoon/chain'
import { formatCount } from '@papermoon/format'
import { cache, client, type TokenId, trpc } from '../../lib/api/api.ts'
import { getReason } from '../../lib/api/failure.ts'
import type { Walked } from './walk-chain.ts'

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** Formats a publication's hour in UTC, as in its URL: `21 Nov 2026, 18:00 UTC`. */
export function hourText(hour: string): string {
  return `${FORMAT.format(new Date(hour))} UTC`
}

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

export const FROM_LAUNCH = 'launch'

/** An entry at which a verification can start. */
interface Start {
  readonly key: string
  readonly label: string
  /** The entry at which the verification starts, or null to start at the launch and verify everything. */
  readonly position: ChainPosition | null
}

/**
 * Returns the entries from which a token's chain can be verified: first the launch and the published entry, then other
 * checkpoints, newest first.
 */
export function useStarts(id: TokenId): Start[] {
  const { data } = trpc.proof.checkpoints.useQuery({ id })
  const { data: summary } = trpc.proof.summary.useQuery()
  const isPublished = summary !== undefined && summary.heads !== null
  const { data: publication } = trpc.proof.heads.useQuery({ after: id - 1, limit: 1 }, { enabled: isPublished })
  const published = publication?.heads.find(({ tokenId }) => tokenId === id)
  const starts: Start[] = [{ key: FROM_LAUNCH, label: 'Launch (verify everything)', position: null }]
  if (publication !== undefined && published !== undefined && published.seq > 0) {
    const label = `Published hash: entry ${formatCount(published.seq)}, ${hourText(publication.hour)}`
    starts.push({ key: 'published', label, position: published })
  }
  for (const position of data?.checkpoints.toReversed() ?? []) {
    starts.push({ key: String(position.seq), label: `Checkpoint: entry ${formatCount(position.seq)}`, position })
  }
  return starts
}
