import { BOUNDS } from '@papermoon/contract/bounds'
import { parseNetwork } from '@papermoon/contract/networks'
import type { Db } from '@papermoon/db'
import type { Clock } from '@papermoon/engine'
import type { ApiKeyReader, ApiKeyRecord, CredentialId } from '../../../context.ts'
import { CredentialCache, identifySecret, newSecret, toCredentialHash, toCredentialId } from '../credentials.ts'
import { findKey, findValidKeys, markUsed } from './store.ts'

/** Min time between two updates of a key's last use, in ms. */
const MARK_AFTER_MS = 60_000

/** Max number of API keys per player. */
export const KEYS_MAX = BOUNDS.keys

/** API keys, which are read from the database and cached on this node for a few seconds. */
export class ApiKeys implements ApiKeyReader {
  readonly #db: Db
  readonly #clock: Clock
  readonly cache = new CredentialCache<ApiKeyRecord>()

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async find(key: string): Promise<ApiKeyRecord | null> {
    if (!isApiKey(key)) return null
    const now = this.#clock.now()
    const id = identifySecret(key)
    return await this.cache.find(id, now, () => this.#read(id, now))
  }

  async #read(id: CredentialId, now: Date): Promise<ApiKeyRecord | null> {
    const keyHash = toCredentialHash(id)
    const found = await findKey(this.#db, keyHash)
    if (found === undefined) return null
    const { id: keyId, userId, accountStatus, isBot, scopes, lastUsedAt, expiresAt, hasSpendingLimit } = found
    const isExpired = expiresAt !== null && expiresAt <= now
    if (!isExpired && (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > MARK_AFTER_MS)) {
      await markUsed(this.#db, keyHash, now)
    }
    const networks = found.networks.map(parseNetwork).filter((network) => network !== null)
    const owner = { userId, accountStatus, isBot }
    const limits = { expiresAt, networks: found.networks.length === 0 ? null : networks, hasSpendingLimit }
    return { ...owner, keyId, scopes, ...limits }
  }

  async findValid(ids: readonly CredentialId[]): Promise<ReadonlySet<CredentialId>> {
    const valid = await findValidKeys(this.#db, ids.map(toCredentialHash), this.#clock.now())
    return new Set(valid.map(toCredentialId))
  }
}

/** Creates a new API key: 256 random bits with a prefix that secret scanners recognize. */
export function newApiKey(): string {
  return `pm_${newSecret()}`
}

/** Returns whether a text has the form of an API key. */
function isApiKey(text: string): boolean {
  return /^pm_[\w-]{43}$/.test(text)
}
