import { VERSION } from './chain-text.ts'

/** The head of a token's chain in a publication. */
export interface PublishedHead {
  readonly tokenId: number
  /** Number of the last entry; 0 is the launch. */
  readonly seq: number
  readonly hash: string
}

/**
 * The first line of the text behind a publication's digest; a `headLine` per token follows, in the order of ids. `hour` is
 * ISO 8601 in UTC with milliseconds, `previous` the digest of the previous publication, null for the first.
 */
export function publicationStart({ hour, previous }: { hour: string; previous: string | null }): string {
  return `${VERSION} heads ${hour} ${previous ?? 'first'}\n`
}

/** A token's line of that text. */
export function headLine({ tokenId, seq, hash }: PublishedHead): string {
  return `${tokenId} ${seq} ${hash}\n`
}
