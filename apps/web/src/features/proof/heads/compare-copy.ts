import { headLine, type PublishedHead, publicationStart, type Sha256 } from '@papermoon/chain'

/** Max heads of a copy looked up concurrently, and in total. */
const AT_ONCE = 10
export const COMPARED_MAX = 200

/**
 * A kept head compared with today: `same` or `other` hash; `gone`, the chain is shorter now; `hidden`, the token is no
 * longer public, so nothing can be compared.
 */
export type HeadStatus = 'same' | 'other' | 'gone' | 'hidden'

export interface ComparedHead extends PublishedHead {
  readonly status: HeadStatus
}

export interface Today {
  /** Today's hash of a token's entry, or why there is none. */
  readonly hashAt: (tokenId: number, seq: number) => Promise<string | 'gone' | 'hidden'>
  /** Today's digest of an hour's publication; null if there is none. */
  readonly fetchDigest: (hour: string) => Promise<string | null>
  readonly sha256: Sha256
}

export interface ComparedCopy {
  readonly hour: string
  /** Whether the copy's digest matches its heads; null if the copy is only one page of them. */
  readonly isWhole: boolean | null
  /** Whether the server has the same digest for that hour today. */
  readonly isPublished: boolean
  readonly heads: readonly ComparedHead[]
  /** Number of heads beyond the limit, not compared. */
  readonly left: number
}

/** Compares a kept copy with what the server says today. Rethrows errors of `today`. */
export async function compareCopy(copy: KeptCopy, today: Today): Promise<ComparedCopy> {
  const compared = copy.heads.slice(0, COMPARED_MAX)
  const heads: ComparedHead[] = []
  for (let first = 0; first < compared.length; first += AT_ONCE) {
    const some = compared.slice(first, first + AT_ONCE)
    heads.push(...(await Promise.all(some.map(async (head) => ({ ...head, status: await checkHead(head, today) })))))
  }
  return {
    hour: copy.hour,
    isWhole: copy.heads.length === copy.tokens ? (await computeDigest(copy, today.sha256)) === copy.digest : null,
    isPublished: (await today.fetchDigest(copy.hour)) === copy.digest,
    heads,
    left: copy.heads.length - heads.length,
  }
}

async function checkHead({ tokenId, seq, hash }: PublishedHead, { hashAt }: Today): Promise<HeadStatus> {
  const found = await hashAt(tokenId, seq)
  if (found === 'gone' || found === 'hidden') return found
  return found === hash ? 'same' : 'other'
}

async function computeDigest(copy: KeptCopy, sha256: Sha256): Promise<string> {
  return await sha256(publicationStart(copy) + copy.heads.map(headLine).join(''))
}

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
  if (text.length > COPY_CHARACTERS_MAX) throw new SyntaxError('This is too long for a page of published heads.')
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
  if (!isCopy) throw new SyntaxError('These are not published heads: hour, digest or heads is missing or wrong.')
  return { hour: new Date(hour).toISOString(), previous, digest, tokens, heads }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SyntaxError('This is not JSON. Paste the whole response of /api/audit/heads, unchanged.')
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
