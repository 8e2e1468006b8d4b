import { entryText } from './chain-text.ts'
import type { ChainEntry } from './entries.ts'

/** SHA-256 of a text's UTF-8 bytes, as 64 hexadecimal digits in lower case. */
export type Sha256 = (text: string) => string | Promise<string>

/** The number and hash of an entry; the launch is number 0. */
export interface ChainPosition {
  readonly seq: number
  readonly hash: string
}

export type HashedEntry = ChainEntry & { readonly hash: string }

/**
 * Returns the number of the first entry whose number or hash does not follow from the previous one; null if all follow from
 * `after`. If the chain is unbroken, the last hash can be trusted as much as `after`.
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
