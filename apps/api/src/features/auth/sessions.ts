import type { Database } from '@papermoon/db'
import type { Kysely } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { SessionCookie, SessionReader } from '../../context.ts'
import type { UserId } from '../../ids.ts'
import { hashSessionToken, isSessionToken, PROLONG_AFTER_MS, SESSION_MS } from './session-token.ts'
import { deleteExpiredSessions, findSession, prolongSession } from './store.ts'

/** So long a logout on another node may go unnoticed here. */
const REMEMBER_MS = 3_000
const REMEMBERED_MAX = 10_000
const SWEEP_BATCH = 1_000
const SWEEP_BATCHES_MAX = 100

interface Remembered {
  readonly userId: UserId
  readonly untilMs: number
}

/** The sessions of this node's visitors: read from the database, remembered for seconds. */
export class Sessions implements SessionReader {
  readonly #db: Kysely<Database>
  readonly #clock: Clock
  readonly #remembered = new Map<string, Remembered>()
  readonly #listeners = new Set<(token: string) => void>()
  /** Counts ended sessions, so that a read under way while one ends is not remembered. */
  #endings = 0

  constructor(db: Kysely<Database>, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async userOf(token: string, cookie: SessionCookie | null = null): Promise<UserId | null> {
    const now = this.#clock.now()
    const remembered = this.#remembered.get(token)
    if (remembered !== undefined && remembered.untilMs > now.getTime()) return remembered.userId
    if (!isSessionToken(token)) return null
    const endings = this.#endings
    const tokenHash = hashSessionToken(token)
    const session = await findSession(this.#db, tokenHash, now)
    if (session === undefined) {
      this.#remembered.delete(token)
      return null
    }
    // Only where the cookie can be prolonged too: else the cookie would die with its session alive.
    if (cookie !== null && isDueForProlonging(session.expiresAt, now)) {
      await prolongSession(this.#db, tokenHash, new Date(now.getTime() + SESSION_MS))
      cookie.set(token)
    }
    if (endings === this.#endings) this.#remember(token, session.userId, session.expiresAt, now)
    return session.userId
  }

  ended(token: string): void {
    this.#endings++
    this.#remembered.delete(token)
    for (const listener of this.#listeners) listener(token)
  }

  onEnd(listener: (token: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
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

  #remember(token: string, userId: UserId, expiresAt: Date, now: Date): void {
    this.#remembered.delete(token)
    const untilMs = Math.min(now.getTime() + REMEMBER_MS, expiresAt.getTime())
    this.#remembered.set(token, { userId, untilMs })
    if (this.#remembered.size <= REMEMBERED_MAX) return
    const oldest = this.#remembered.keys().next()
    if (!oldest.done) this.#remembered.delete(oldest.value)
  }
}

function isDueForProlonging(expiresAt: Date, now: Date): boolean {
  return expiresAt.getTime() - now.getTime() < SESSION_MS - PROLONG_AFTER_MS
}
