import { headLine, type PublishedHead, publicationStart, type Sha256 } from '@papermoon/chain'
import type { KeptCopy } from './kept-copy.ts'

/** Heads of a copy that are looked up at once, and in all. */
const AT_ONCE = 10
export const COMPARED_MAX = 200

/**
 * What stands today where a kept head stood: `same`, its hash; `other`, another one; `gone`, the chain is not so long;
 * `hidden`, the token is not shown any more, so nothing can be told.
 */
export type HeadStatus = 'same' | 'other' | 'gone' | 'hidden'

export interface ComparedHead extends PublishedHead {
  readonly standing: HeadStatus
}

export interface Today {
  /** The hash of a token's entry today, or why there is none. */
  readonly hashAt: (tokenId: number, seq: number) => Promise<string | 'gone' | 'hidden'>
  /** The digest that the server has for an hour today; null for none. */
  readonly computeDigest: (hour: string) => Promise<string | null>
  readonly sha256: Sha256
}

export interface ComparedCopy {
  readonly hour: string
  /** Whether the copy's own digest is that of its heads; null where it is only a page of them. */
  readonly isWhole: boolean | null
  /** Whether the server names the same digest for that hour today. */
  readonly isPublished: boolean
  readonly heads: readonly ComparedHead[]
  /** Heads beyond the bound. */
  readonly left: number
}

/** Compares a kept copy with what the server says today. Throws what `today` throws. */
export async function compareCopy(copy: KeptCopy, today: Today): Promise<ComparedCopy> {
  const compared = copy.heads.slice(0, COMPARED_MAX)
  const heads: ComparedHead[] = []
  for (let first = 0; first < compared.length; first += AT_ONCE) {
    const some = compared.slice(first, first + AT_ONCE)
    heads.push(...(await Promise.all(some.map(async (head) => ({ ...head, standing: await checkHead(head, today) })))))
  }
  return {
    hour: copy.hour,
    isWhole: copy.heads.length === copy.tokens ? (await digestOf(copy, today.sha256)) === copy.digest : null,
    isPublished: (await today.computeDigest(copy.hour)) === copy.digest,
    heads,
    left: copy.heads.length - heads.length,
  }
}

async function checkHead({ tokenId, seq, hash }: PublishedHead, { hashAt }: Today): Promise<HeadStatus> {
  const found = await hashAt(tokenId, seq)
  if (found === 'gone' || found === 'hidden') return found
  return found === hash ? 'same' : 'other'
}

async function digestOf(copy: KeptCopy, sha256: Sha256): Promise<string> {
  return await sha256(publicationStart(copy) + copy.heads.map(headLine).join(''))
}
