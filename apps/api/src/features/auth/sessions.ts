import type { Database } from '@papermoon/db'
import type { Kysely } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { SessionReader, TokenCookie } from '../../context.ts'
import { CredentialMemory } from '../../credential-memory.ts'
import { type CredentialId, credentialHashOf, credentialIdOf, hashSecret } from '../../credentials.ts'
import type { UserId } from '../../ids.ts'
import { isSessionToken, PROLONG_AFTER_MS, SESSION_MS } from './session-token.ts'
import { deleteExpiredSessions, findSession, findSessions, prolongSession } from './store.ts'

const SWEEP_BATCH = 1_000
const SWEEP_BATCHES_MAX = 100

interface Owner {
  readonly userId: UserId
  readonly expiresAt: Date
}

/** The sessions of this node's visitors: read from the database, remembered for seconds. */
export class Sessions implements SessionReader {
  readonly #db: Kysely<Database>
  readonly #clock: Clock
  readonly #memory = new CredentialMemory<Owner>()

  constructor(db: Kysely<Database>, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async userOf(token: string, cookie: TokenCookie | null = null): Promise<UserId | null> {
    if (!isSessionToken(token)) return null
    const now = this.#clock.now()
    const tokenHash = hashSecret(token)
    const id = credentialIdOf(tokenHash)
    const remembered = this.#memory.get(id, now)
    if (remembered !== undefined && remembered.expiresAt > now) return remembered.userId
    const { endings } = this.#memory
    const session = await findSession(this.#db, tokenHash, now)
    if (session === undefined) {
      this.#memory.forget(id)
      return null
    }
    // Only where the cookie can be prolonged too: else the cookie would die with its session alive.
    if (cookie !== null && isDueForProlonging(session.expiresAt, now)) {
      await prolongSession(this.#db, tokenHash, new Date(now.getTime() + SESSION_MS))
      cookie.set(token)
    }
    this.#memory.remember(id, session, { now, endings })
    return session.userId
  }

  ended(id: CredentialId): void {
    this.#memory.end(id)
  }

  onEnd(listener: (id: CredentialId) => void): () => void {
    return this.#memory.onEnd(listener)
  }

  async findStanding(ids: readonly CredentialId[]): Promise<ReadonlySet<CredentialId>> {
    const standing = await findSessions(this.#db, ids.map(credentialHashOf), this.#clock.now())
    return new Set(standing.map(credentialIdOf))
  }

  /** Deletes expired sessions, in small steps and a bounded number at once; returns how many. */
  async sweep(): Promise<number> {
    let total = 0
    for (let batch = 0; batch < SWEEP_BATCHES_MAX; batch++) {
      const deleted = await deleteExpiredSessions(this.#db, this.#clock.now(), SWEEP_BATCH)
      total += deleted
      if (deleted < SWEEP_BATCH) break
    }
    return total
  }
}

function isDueForProlonging(expiresAt: Date, now: Date): boolean {
  return expiresAt.getTime() - now.getTime() < SESSION_MS - PROLONG_AFTER_MS
}
