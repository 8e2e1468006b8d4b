import { entryText } from './chain-text.ts'
import type { ChainEntry } from './entries.ts'

/** SHA-256 of a text's UTF-8 bytes, as 64 hexadecimal digits in lower case. */
export type Sha256 = (text: string) => string | Promise<string>

/** An entry's place in its chain, and the hash that stands there; the launch is number 0. */
export interface ChainPlace {
  readonly seq: number
  readonly hash: string
}

/** An entry with the hash that is claimed for it. */
export type HashedEntry = ChainEntry & { readonly hash: string }

/**
 * The number of the first entry that does not follow from the one before it, by its number or by its hash; null when all
 * follow from `after`. Whoever trusts `after` and finds no break can trust the last entry's hash as much.
 */
export async function findBreak(
  after: ChainPlace,
  entries: readonly HashedEntry[],
  sha256: Sha256,
): Promise<number | null> {
  let place = after
  for (const entry of entries) {
    const expected = await sha256(entryText(place.hash, entry))
    if (entry.seq !== place.seq + 1 || entry.hash !== expected) return entry.seq
    place = entry
  }
  return null
}
