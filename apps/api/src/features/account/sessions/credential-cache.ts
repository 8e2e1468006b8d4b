import { LRUCache } from 'lru-cache'
import type { Caller, KnownCredentials } from '../../../context.ts'
import type { CredentialId } from '../credentials.ts'

/** Max age of a cached credential in ms. A revocation on another node takes effect here within this time. */
const MAX_AGE_MS = 3_000
const CREDENTIALS_MAX = 10_000

interface CredentialOwner extends Pick<Caller, 'accountStatus'> {
  /** Time at which the credential expires; null if never. */
  readonly expiresAt: Date | null
}

interface CacheEntry<Owner> {
  readonly owner: Owner
  readonly readMs: number
}

interface ReadMoment {
  readonly now: Date
  /** The value of `revocations` before the read began. */
  readonly revocations: number
}

/** Caches each credential's owner for a few seconds, and notifies listeners when this node revokes a credential. */
export class CredentialCache<Owner extends CredentialOwner> implements KnownCredentials {
  readonly #entries = new LRUCache<CredentialId, CacheEntry<Owner>>({ max: CREDENTIALS_MAX })
  readonly #listeners = new Set<(id: CredentialId) => void>()
  #revocations = 0

  get(id: CredentialId, now: Date): Owner | undefined {
    const entry = this.#entries.get(id)
    return entry !== undefined && entry.readMs + MAX_AGE_MS > now.getTime() ? entry.owner : undefined
  }

  /**
   * Number of revocations and clears so far. Pass the number to `set`, so that a read does not store values that were
   * dropped while it ran.
   */
  get revocations(): number {
    return this.#revocations
  }

  /** Stores the result of a read, unless a credential was revoked or all were dropped since the read began. */
  set(id: CredentialId, owner: Owner, { now, revocations }: ReadMoment): void {
    if (revocations === this.#revocations) this.#entries.set(id, { owner, readMs: now.getTime() })
  }

  has(id: CredentialId, now: Date): boolean {
    const owner = this.get(id, now)
    return owner !== undefined && owner.accountStatus !== 'frozen' && (owner.expiresAt ?? Infinity) > now
  }

  /** Drops all credentials, including the results of running reads. */
  clear(): void {
    this.#revocations++
    this.#entries.clear()
  }

  revoke(id: CredentialId): void {
    this.#revocations++
    this.#entries.delete(id)
    for (const listener of this.#listeners) listener(id)
  }

  onRevoked(listener: (id: CredentialId) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
