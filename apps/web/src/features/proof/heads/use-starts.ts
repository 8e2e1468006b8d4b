import type { ChainPosition } from '@papermoon/chain'
import { formatCount } from '@papermoon/format'
import { type TokenId, trpc } from '../../../lib/api/api.ts'
import { hourText } from './hour-text.ts'

export const FROM_LAUNCH = 'launch'

/** An entry at which a verification can start. */
export interface Start {
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
