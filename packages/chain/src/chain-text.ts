import type { ChainEntry, ChainLaunch } from './entries.ts'

/** Names the rules below. Others would be `papermoon:2`, from an entry of their own on. */
export const VERSION = 'papermoon:1'

/**
 * What is hashed where a chain begins. Name and symbol are whatever a player chose, so they come last and as JSON strings:
 * no two launches share a text.
 */
export function launchText(launch: ChainLaunch): string {
  const { tokenId, creatorId, supply, launchPrice, createdAt, name, symbol } = launch
  const about = `${tokenId} ${creatorId} ${supply} ${launchPrice} ${createdAt}`
  return `${VERSION} launch ${about} ${JSON.stringify(name)} ${JSON.stringify(symbol)}`
}

/** What is hashed for an entry: the hash before it, 64 hexadecimal digits in lower case, and on a second line its figures. */
export function entryText(previousHash: string, entry: ChainEntry): string {
  return `${previousHash}\n${VERSION} ${entry.kind} ${entry.tokenId} ${entry.seq} ${entry.userId} ${figuresOf(entry)}`
}

function figuresOf(entry: ChainEntry): string {
  if (entry.kind === 'rug') return `${entry.amount} ${entry.createdAt}`
  const { solAmount, fee, tokenAmount, price, spotPrice, solReserve, tokenReserve, createdAt } = entry
  return `${solAmount} ${fee} ${tokenAmount} ${price} ${spotPrice} ${solReserve} ${tokenReserve} ${createdAt}`
}
