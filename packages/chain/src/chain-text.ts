import type { ChainEntry, ChainLaunch, ChainSeal } from './entries.ts'

/** Version of the text formats below. It is part of every text, so a later format can begin at any entry. */
export const VERSION = 'papermoon:1'

/**
 * The text hashed for a launch, the first entry of a chain. Name and symbol are arbitrary, so they come last as JSON
 * strings: no two launches share a text.
 */
export function launchText(launch: ChainLaunch): string {
  const { tokenId, creatorId, supply, launchPrice, createdAt, name, symbol } = launch
  const fields = `${tokenId} ${creatorId} ${supply} ${launchPrice} ${createdAt}`
  return `${VERSION} launch ${fields} ${JSON.stringify(name)} ${JSON.stringify(symbol)}`
}

/** The text hashed for an entry: the previous hash (64 hexadecimal digits in lower case), and on a second line its fields. */
export function entryText(previousHash: string, entry: ChainEntry): string {
  return `${previousHash}\n${VERSION} ${entry.kind} ${entry.tokenId} ${entry.seq} ${entry.userId} ${formatFields(entry)}`
}

function formatFields(entry: ChainEntry): string {
  if (entry.kind === 'rug') return `${entry.amount} ${entry.createdAt}`
  const { solAmount, fee, tokenAmount, price, spotPrice, solReserve, tokenReserve, createdAt } = entry
  return `${solAmount} ${fee} ${tokenAmount} ${price} ${spotPrice} ${solReserve} ${tokenReserve} ${createdAt}`
}

/** The text hashed for a seal: the hash of the token's previous seal, or `first`, and on a second line its fields. */
export function sealText(previousHash: string | null, seal: ChainSeal): string {
  const { tokenId, number, seq, userId, until, bagUntil, bagTokens, createdAt } = seal
  const fields = `${tokenId} ${number} ${seq} ${userId} ${until} ${bagUntil ?? 'none'} ${bagTokens} ${createdAt}`
  return `${previousHash ?? 'first'}\n${VERSION} seal ${fields}`
}
