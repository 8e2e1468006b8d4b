import { headLine, type PublishedHead, publicationStart, type Sha256 } from '@papermoon/chain'

/** Max number of hashes that are compared at the same time. */
const AT_ONCE = 10
export const COMPARED_MAX = 200

/**
 * The result for one stored hash. `same` and `other`: today's hash is equal or different. `gone`: the chain is shorter
 * now. `hidden`: the token is no longer public, so its hash cannot be compared.
 */
export type HeadStatus = 'same' | 'other' | 'gone' | 'hidden'

export interface ComparedHead extends PublishedHead {
  readonly status: HeadStatus
}

export interface Today {
  /** Returns today's hash of an entry, or why there is none. */
  readonly hashAt: (tokenId: number, seq: number) => Promise<string | 'gone' | 'hidden'>
  /** Returns today's digest of a publication by its hour, or null if there is none. */
  readonly fetchDigest: (hour: string) => Promise<string | null>
  readonly sha256: Sha256
}

export interface ComparedCopy {
  readonly hour: string
  /** Whether the copy's digest matches its hashes, or null if the copy is one page of several. */
  readonly isWhole: boolean | null
  /** Whether the server still has the same digest for the copy's hour. */
  readonly isPublished: boolean
  readonly heads: readonly ComparedHead[]
  /** Number of hashes above the maximum. The hashes above the maximum were not compared. */
  readonly left: number
}

/** Compares a stored copy with the server's current data. Rethrows errors from `today`. */
export async function compareCopy(copy: CopiedHeads, today: Today): Promise<ComparedCopy> {
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

async function computeDigest(copy: CopiedHeads, sha256: Sha256): Promise<string> {
  return await sha256(publicationStart(copy) + copy.heads.map(headLine).join(''))
}

/** Max length of a copy in characters, which is more than the largest page of hashes needs. */
export const COPY_CHARACTERS_MAX = 4_000_000

const HASH = /^[0-9a-f]{64}$/

/** A copy of the published hashes. */
export interface CopiedHeads {
  /** The hour of the publication, as ISO 8601 in UTC with milliseconds. */
  readonly hour: string
  /** Digest of the previous publication. Null for the first publication. */
  readonly previous: string | null
  readonly digest: string
  /** Number of tokens in the publication. The copy has fewer tokens if it is one page of several. */
  readonly tokens: number
  readonly heads: readonly PublishedHead[]
}

/** Parses a saved response from `/api/audit/heads`. Throws a `SyntaxError` with a message for the player. */
export function readCopiedHeads(text: string): CopiedHeads {
  if (text.length > COPY_CHARACTERS_MAX) throw new SyntaxError('This is too long for a page of published heads.')
  const copy = parseJson(text)
  const { hour, previous, digest, tokens, heads } = Object(copy) as Record<keyof CopiedHeads, unknown>
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
