import type { ChainEntry, ChainLaunch, ChainSeal } from './entries.ts'

/** The version of the text formats below. Every text contains it, so a later format can begin at any entry. */
export const VERSION = 'papermoon:1'

/**
 * Returns the text to hash for a launch, which is the first entry of a chain. Name and symbol come last, as JSON
 * strings. Because of this order, two different launches never have the same text.
 */
export function launchText(launch: ChainLaunch): string {
  const { tokenId, creatorId, supply, launchPrice, createdAt, name, symbol } = launch
  const fields = `${tokenId} ${creatorId} ${supply} ${launchPrice} ${createdAt}`
  return `${VERSION} launch ${fields} ${JSON.stringify(name)} ${JSON.stringify(symbol)}`
}

/**
 * Returns the text to hash for an entry: the previous hash (64 lowercase hexadecimal digits), then the entry's fields
 * on a second line.
 */
export function entryText(previousHash: string, entry: ChainEntry): string {
  return `${previousHash}\n${VERSION} ${entry.kind} ${entry.tokenId} ${entry.seq} ${entry.userId} ${formatFields(entry)}`
}

function formatFields(entry: ChainEntry): string {
  if (entry.kind === 'rug') return `${entry.amount} ${entry.createdAt}`
  const { solAmount, fee, tokenAmount, price, spotPrice, solReserve, tokenReserve, createdAt } = entry
  return `${solAmount} ${fee} ${tokenAmount} ${price} ${spotPrice} ${solReserve} ${tokenReserve} ${createdAt}`
}

/**
 * Returns the text to hash for a seal: the hash of the token's previous seal, or `first`, then the seal's fields on a
 * second line.
 */
export function sealText(previousHash: string | null, seal: ChainSeal): string {
  const { tokenId, number, seq, userId, until, bagUntil, bagTokens, createdAt } = seal
  const fields = `${tokenId} ${number} ${seq} ${userId} ${until} ${bagUntil ?? 'none'} ${bagTokens} ${createdAt}`
  return `${previousHash ?? 'first'}\n${VERSION} seal ${fields}`
}
