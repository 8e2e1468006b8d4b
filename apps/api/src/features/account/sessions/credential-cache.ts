import { LRUCache } from 'lru-cache'
import type { CredentialId } from '../../../accounts/credentials.ts'
import type { Caller, KnownCredentials } from '../../../context.ts'

/** Another node's revocation takes effect here within this time. */
const MAX_AGE_MS = 3_000
/** More than that, since a stream is opened after its caller was found. */
const ACCEPTED_MS = 5_000
const CREDENTIALS_MAX = 10_000

interface CredentialOwner extends Pick<Caller, 'accountStatus'> {
  /** Null: never. */
  readonly expiresAt: Date | null
}

interface CacheEntry<Owner> {
  readonly owner: Owner
  readonly readMs: number
  /** An entry that is no longer used says only that the credential was accepted. */
  isDropped: boolean
}

interface ReadMoment {
  readonly now: Date
  /** `revocations` before the read began. */
  readonly revocations: number
}

/** Caches the owner of each credential for seconds, and notifies listeners when this node revokes a credential. */
export class CredentialCache<Owner extends CredentialOwner> implements KnownCredentials {
  readonly #entries = new LRUCache<CredentialId, CacheEntry<Owner>>({ max: CREDENTIALS_MAX })
  readonly #listeners = new Set<(id: CredentialId) => void>()
  #revocations = 0

  get(id: CredentialId, now: Date): Owner | undefined {
    const entry = this.#entries.get(id)
    return entry !== undefined && !entry.isDropped && entry.readMs + MAX_AGE_MS > now.getTime()
      ? entry.owner
      : undefined
  }

  /** Number of revocations and clears so far; pass it to `set`, so that a read does not restore what was dropped during it. */
  get revocations(): number {
    return this.#revocations
  }

  /** Stores the result of a read; `get` ignores it if any credential was revoked, or all were dropped, since the read began. */
  set(id: CredentialId, owner: Owner, { now, revocations }: ReadMoment): void {
    this.#entries.set(id, { owner, readMs: now.getTime(), isDropped: revocations !== this.#revocations })
  }

  hasAccepted(id: CredentialId, now: Date): boolean {
    const entry = this.#entries.peek(id)
    if (entry === undefined) return false
    const { owner, readMs } = entry
    const wasExpired = owner.expiresAt !== null && owner.expiresAt.getTime() <= readMs
    return owner.accountStatus !== 'frozen' && !wasExpired && readMs + ACCEPTED_MS > now.getTime()
  }

  /** Drops also the results of reads that are under way. */
  clear(): void {
    this.#revocations++
    for (const entry of this.#entries.values()) entry.isDropped = true
  }

  revoke(id: CredentialId): void {
    this.#revocations++
    const entry = this.#entries.peek(id)
    if (entry !== undefined) entry.isDropped = true
    for (const listener of this.#listeners) listener(id)
  }

  onRevoked(listener: (id: CredentialId) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
