import { type ChainSeal, type Sha256, sealText } from '@papermoon/chain'

/** A page of a token's seals, as `proof.seals` returns it. */
export interface SealPage {
  readonly head: { readonly number: number; readonly hash: string } | null
  readonly seals: readonly (ChainSeal & { readonly hash: string })[]
}

interface Walk {
  readonly tokenId: number
  /** Returns the seals after the seal with this number. Each call returns a few hundred seals. */
  readonly fetchPage: (after: number) => Promise<SealPage>
  readonly sha256: Sha256
}

/**
 * Recomputes the hashes of all seals of a token. Returns the number of seals, and the first seal that does not match.
 */
export async function walkSeals({
  tokenId,
  fetchPage,
  sha256,
}: Walk): Promise<{ count: number; broken: number | null }> {
  let last: { number: number; hash: string } | null = null
  for (;;) {
    const count: number = last?.number ?? 0
    const { head, seals } = await fetchPage(count)
    for (const seal of seals) {
      const next: number = (last?.number ?? 0) + 1
      const hash = await sha256(sealText(last?.hash ?? null, seal))
      if (seal.tokenId !== tokenId || seal.number !== next || seal.hash !== hash) return { count, broken: next }
      last = { number: next, hash }
    }
    const walked = last?.number ?? 0
    const end = head?.number ?? 0
    if (walked >= end) {
      return { count: walked, broken: head?.hash === last?.hash ? null : Math.min(walked, end + 1) }
    }
    if (seals.length === 0) return { count: walked, broken: walked + 1 }
  }
}
