import { VERSION } from './chain-text.ts'

/** The last hash of a token's chain in a publication. */
export interface PublishedHead {
  readonly tokenId: number
  /** Number of the chain's last entry. The launch has number 0. */
  readonly seq: number
  readonly hash: string
}

/**
 * Returns the first line of the text whose hash is a publication's digest. A `headLine` for each token follows, in the
 * order of ids. `hour` is ISO 8601 in UTC with milliseconds. `previous` is the previous publication's digest, or null
 * for the first publication.
 */
export function publicationStart({ hour, previous }: { hour: string; previous: string | null }): string {
  return `${VERSION} heads ${hour} ${previous ?? 'first'}\n`
}

/** Returns a token's line in the text whose hash is a publication's digest. */
export function headLine({ tokenId, seq, hash }: PublishedHead): string {
  return `${tokenId} ${seq} ${hash}\n`
}
