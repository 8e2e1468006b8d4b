/**
 * The first entry of a token's chain. Amounts in this file are plain decimals without trailing zeros, and times are ISO
 * 8601 in UTC with milliseconds.
 */
export interface ChainLaunch {
  readonly tokenId: number
  readonly creatorId: number
  readonly supply: string
  /** Launch price in SOL per token. */
  readonly launchPrice: string
  readonly createdAt: string
  readonly name: string
  readonly symbol: string
}

export interface ChainTrade {
  readonly kind: 'buy' | 'sell'
  readonly tokenId: number
  readonly seq: number
  readonly userId: number
  /** For a buy, the SOL paid including the fee. For a sale, the SOL received after the fee. */
  readonly solAmount: string
  readonly fee: string
  readonly tokenAmount: string
  /** Average price of the trade. */
  readonly price: string
  /** Spot price after the trade. */
  readonly spotPrice: string
  /** Virtual plus real SOL of the pool after the trade. */
  readonly solReserve: string
  readonly tokenReserve: string
  readonly createdAt: string
}

/** A rug pull. A rug pull is the last entry of a chain. The pool's SOL becomes 0, and its tokens do not change. */
export interface ChainRug {
  readonly kind: 'rug'
  readonly tokenId: number
  readonly seq: number
  readonly userId: number
  /** SOL paid to the creator. */
  readonly amount: string
  readonly createdAt: string
}

/** An entry in the chain of a token's seals, which is separate from the token's chain. */
export interface ChainSeal {
  readonly tokenId: number
  /** Number of the seal, from 1. */
  readonly number: number
  /** Sequence number of the token's last trade before the seal. */
  readonly seq: number
  readonly userId: number
  /** Time until which the token cannot be rugged. */
  readonly until: string
  /**
   * Time until which the creator must hold at least `bagTokens`, or null if the seal does not include the creator's
   * tokens.
   */
  readonly bagUntil: string | null
  readonly bagTokens: string
  readonly createdAt: string
}

export type ChainEntry = ChainTrade | ChainRug

/** The version of the text formats below. Every text contains it, so a later format can begin at any entry. */
const VERSION = 'papermoon:1'

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
