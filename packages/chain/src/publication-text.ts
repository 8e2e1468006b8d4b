import { VERSION } from './chain-text.ts'

/** Where a token's chain stands in a publication. */
export interface PublishedHead {
  readonly tokenId: number
  /** Number of the last entry; 0 is the launch. */
  readonly seq: number
  readonly hash: string
}

/**
 * The first line of what a publication's digest is made of; a `headLine` for each token follows, in the order of ids. `hour` is
 * ISO 8601 in UTC with milliseconds, `previous` the digest of the publication before it, null for the first.
 */
export function publicationStart({ hour, previous }: { hour: string; previous: string | null }): string {
  return `${VERSION} heads ${hour} ${previous ?? 'first'}\n`
}

/** A token's line in what a publication's digest is made of. */
export function headLine({ tokenId, seq, hash }: PublishedHead): string {
  return `${tokenId} ${seq} ${hash}\n`
}
