/** Session tokens and API keys: their stored form, the cache of their owners, and the sessions. */

import { hash, randomBytes } from 'node:crypto'
import type { Db } from '@papermoon/db'
import type { Clock } from '@papermoon/engine'
import { LRUCache } from 'lru-cache'
import type { Caller, CredentialId, KnownCredentials, SessionReader, SessionVisit } from '../../context.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { describeBrowser } from './records/account-events.ts'
import { type FoundSession, findSession, findSessions, updateSession } from './sign-in/store.ts'

/** Creates a secret of 256 random bits, written as 43 characters in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the form in which a secret is stored. A secret is random, so nobody can find it from its plain SHA-256. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Returns the same as `toCredentialId(hashSecret(secret))`, in one step. */
export function identifySecret(secret: string): CredentialId {
  return hash('sha256', secret, 'hex') as CredentialId
}

export function toCredentialId(hash: Buffer): CredentialId {
  return hash.toString('hex') as CredentialId
}

export function toCredentialHash(id: CredentialId): Buffer {
  return Buffer.from(id, 'hex')
}

/** Idle time after which a session ends, in ms. */
export const SESSION_MS = 30 * DAY_MS

/** Max lifetime of a session in ms, even if it is used all the time. */
export const SESSION_MAX_MS = 90 * DAY_MS

/** Min time between two updates of a session's last use, in ms. */
const NOTE_USE_AFTER_MS = 5 * 60_000

/** How long a replaced cookie still works for requests that are already running, in ms. */
const OLD_COOKIE_GRACE_MS = 60_000

/** Min time between two extensions of a session, in ms. */
const PROLONG_AFTER_MS = DAY_MS

type Owner = Pick<FoundSession, 'userId' | 'accountStatus' | 'isBot' | 'expiresAt' | 'plainCookieUntil'>

interface SessionRead {
  readonly id: CredentialId
  readonly token: string
  readonly now: Date
  /** Whether the visitor waits for the read. If nobody waits, the response may be sent, so it can set no cookie. */
  readonly isAwaited: boolean
}

/** Sessions, which are read from the database and cached on this node for a few seconds. */
export class Sessions implements SessionReader {
  readonly #db: Db
  readonly #clock: Clock
  readonly cache = new CredentialCache<Owner>()

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async find(visit: SessionVisit): Promise<Caller | null> {
    const { token } = visit.cookies.session
    if (token === null || !isSessionToken(token)) return null
    const now = this.#clock.now()
    const id = identifySecret(token)
    const owner = await this.cache.find(id, now, (isAwaited) => this.#read(visit, { id, token, now, isAwaited }))
    return owner !== null && owner.expiresAt > now && mayUse(visit, owner, now) ? owner : null
  }

  async #read(visit: SessionVisit, read: SessionRead): Promise<Owner | null> {
    const session = await findSession(this.#db, toCredentialHash(read.id), read.now)
    if (session === undefined) return null
    if (mayUse(visit, session, read.now)) await this.#noteUse(visit, session, read)
    return session
  }

  /** Records the session's use, extends the session, or replaces its cookie, whichever is due. */
  async #noteUse(
    visit: SessionVisit,
    session: FoundSession,
    { id, token, now, isAwaited }: SessionRead,
  ): Promise<void> {
    const { isOld } = visit.cookies.session
    // If the cookie cannot be extended, do not extend the session either.
    const writer = isAwaited ? visit.cookies.session.writer : null
    const expiresAt = writer === null ? session.expiresAt : prolonged(session, now)
    const isSwap = writer !== null && isOld
    const isForCookie = isSwap || expiresAt > session.expiresAt
    if (!isForCookie && now.getTime() - session.lastUsedAt.getTime() < NOTE_USE_AFTER_MS) return
    const graceEnd = new Date(now.getTime() + OLD_COOKIE_GRACE_MS)
    await updateSession(this.#db, toCredentialHash(id), {
      lastUsedAt: now,
      address: visit.ip,
      browser: describeBrowser(visit.userAgent),
      expiresAt,
      plainCookieUntil: isSwap && isAfter(session.plainCookieUntil, graceEnd) ? graceEnd : session.plainCookieUntil,
    })
    if (isForCookie) writer?.set(token, secondsBetween(now, expiresAt))
  }

  async findValid(ids: readonly CredentialId[]): Promise<ReadonlySet<CredentialId>> {
    const valid = await findSessions(this.#db, ids.map(toCredentialHash), this.#clock.now())
    return new Set(valid.map(toCredentialId))
  }
}

/**
 * Returns whether a session's cookie may be used. Over HTTPS, another host of the domain may have set a cookie without
 * a prefix. A cookie without a prefix works only for sessions that began with such a cookie.
 */
function mayUse({ cookies }: SessionVisit, { plainCookieUntil }: Owner, now: Date): boolean {
  return !cookies.session.isOld || isAfter(plainCookieUntil, now)
}

function isAfter(date: Date | null, moment: Date): boolean {
  return date !== null && date > moment
}

/** Returns the new expiry of a session that is in use: 30 days from now, but at most 90 days after it began. */
function prolonged({ expiresAt, createdAt }: Pick<FoundSession, 'expiresAt' | 'createdAt'>, now: Date): Date {
  const left = expiresAt.getTime() - now.getTime()
  if (left >= SESSION_MS - PROLONG_AFTER_MS) return expiresAt
  const endMs = Math.min(now.getTime() + SESSION_MS, createdAt.getTime() + SESSION_MAX_MS)
  return new Date(Math.max(endMs, expiresAt.getTime()))
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1_000))
}

/** Returns whether a text has the form of a session token. */
function isSessionToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/**
 * Max age of a cached credential in ms. If another node revokes a credential, this node rejects it within this time.
 */
const MAX_AGE_MS = 3_000

/** Age in ms from which a used credential is read again, so that its next calls do not wait for the database. */
const READ_AHEAD_MS = 1_000

const CREDENTIALS_MAX = 10_000

interface CredentialOwner extends Pick<Caller, 'accountStatus'> {
  /** Time at which the credential expires; null if never. */
  readonly expiresAt: Date | null
}

interface CacheEntry<Owner> {
  readonly owner: Owner
  readonly readMs: number
}

/** Reads a credential's owner from the database, or null if there is no such credential. */
type ReadOwner<Owner> = (isAwaited: boolean) => Promise<Owner | null>

/** Caches each credential's owner for a few seconds, and notifies listeners when this node revokes a credential. */
export class CredentialCache<Owner extends CredentialOwner> implements KnownCredentials {
  readonly #entries = new LRUCache<CredentialId, CacheEntry<Owner>>({ max: CREDENTIALS_MAX })
  readonly #reads = new Map<CredentialId, Promise<Owner | null>>()
  readonly #listeners = new Set<(id: CredentialId) => void>()

  /**
   * Returns a credential's owner, or null if there is no such credential. Runs at most one `read` at a time for each
   * credential. If the cached owner is no longer fresh, returns it at once and reads the next one meanwhile.
   */
  async find(id: CredentialId, now: Date, read: ReadOwner<Owner>): Promise<Owner | null> {
    const entry = this.#find(id, now)
    if (entry === undefined) return await this.#read(id, now, () => read(true))
    // If the read fails, the next caller after the entry's end reads again and gets the error.
    if (entry.readMs + READ_AHEAD_MS <= now.getTime()) this.#read(id, now, () => read(false)).catch(() => {})
    return entry.owner
  }

  #find(id: CredentialId, now: Date): CacheEntry<Owner> | undefined {
    const entry = this.#entries.get(id)
    return entry !== undefined && entry.readMs + MAX_AGE_MS > now.getTime() ? entry : undefined
  }

  async #read(id: CredentialId, now: Date, read: () => Promise<Owner | null>): Promise<Owner | null> {
    const pending = this.#reads.get(id)
    if (pending !== undefined) return await pending
    const reading = read()
    this.#reads.set(id, reading)
    try {
      const owner = await reading
      // Store nothing if the credential was revoked or the cache was cleared since the read began.
      if (this.#reads.get(id) === reading) {
        if (owner === null) this.#entries.delete(id)
        else this.#entries.set(id, { owner, readMs: now.getTime() })
      }
      return owner
    } finally {
      if (this.#reads.get(id) === reading) this.#reads.delete(id)
    }
  }

  has(id: CredentialId, now: Date): boolean {
    const owner = this.#find(id, now)?.owner
    return owner !== undefined && owner.accountStatus !== 'frozen' && (owner.expiresAt ?? Infinity) > now
  }

  /** Drops all cached credentials, including the results of running reads. */
  clear(): void {
    this.#reads.clear()
    this.#entries.clear()
  }

  revoke(id: CredentialId): void {
    this.#reads.delete(id)
    this.#entries.delete(id)
    for (const listener of this.#listeners) listener(id)
  }

  onRevoked(listener: (id: CredentialId) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
