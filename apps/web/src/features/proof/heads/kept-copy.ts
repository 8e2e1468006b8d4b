import type { PublishedHead } from '@papermoon/chain'

/** More than the largest page of heads needs. */
export const COPY_CHARACTERS_MAX = 4_000_000

const HASH = /^[0-9a-f]{64}$/

/** A copy of published heads. */
export interface KeptCopy {
  /** Full hour, ISO 8601 in UTC with milliseconds. */
  readonly hour: string
  /** Digest of the previous publication; null for the first. */
  readonly previous: string | null
  readonly digest: string
  /** Number of tokens in the publication; the copy may be one page of it. */
  readonly tokens: number
  readonly heads: readonly PublishedHead[]
}

/** Parses a saved answer of `/api/audit/heads`. Throws a `SyntaxError` whose message is for the player. */
export function readKeptCopy(text: string): KeptCopy {
  if (text.length > COPY_CHARACTERS_MAX) throw new SyntaxError('That is too long for a page of published heads.')
  const copy = parseJson(text)
  const { hour, previous, digest, tokens, heads } = Object(copy) as Record<keyof KeptCopy, unknown>
  const isCopy =
    typeof hour === 'string' &&
    Number.isFinite(Date.parse(hour)) &&
    (previous === null || isHash(previous)) &&
    isHash(digest) &&
    isCount(tokens) &&
    Array.isArray(heads) &&
    heads.every(isHead)
  if (!isCopy) throw new SyntaxError('These are no published heads: hour, digest and heads have to be there.')
  return { hour: new Date(hour).toISOString(), previous, digest, tokens, heads }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SyntaxError('This is not JSON. Paste the whole answer of /api/audit/heads, as it came.')
  }
}

function isHead(head: unknown): head is PublishedHead {
  const { tokenId, seq, hash } = Object(head) as Record<keyof PublishedHead, unknown>
  return isCount(tokenId) && tokenId > 0 && isCount(seq) && isHash(hash)
}

function isHash(text: unknown): text is string {
  return typeof text === 'string' && HASH.test(text)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
