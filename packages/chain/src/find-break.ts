import { entryText } from './chain-text.ts'
import type { ChainEntry } from './entries.ts'

/** Returns the SHA-256 of a text's UTF-8 bytes as 64 lowercase hexadecimal digits. */
export type Sha256 = (text: string) => string | Promise<string>

/** An entry's number and hash. The launch has number 0. */
export interface ChainPosition {
  readonly seq: number
  readonly hash: string
}

export type HashedEntry = ChainEntry & { readonly hash: string }

/**
 * Returns the number of the first entry whose number or hash does not follow from the previous entry, or null if all
 * entries follow from `after`. If all entries follow, the last hash is as trustworthy as `after`.
 */
export async function findBreak(
  after: ChainPosition,
  entries: readonly HashedEntry[],
  sha256: Sha256,
): Promise<number | null> {
  let position = after
  for (const entry of entries) {
    const expected = await sha256(entryText(position.hash, entry))
    if (entry.seq !== position.seq + 1 || entry.hash !== expected) return entry.seq
    position = entry
  }
  return null
}
