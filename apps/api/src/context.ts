import type { Database } from '@papermoon/db'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { BoundedWork } from './bounded-work.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { LiveFeed } from './events/live-feed.ts'
import type { UserId } from './ids.ts'
import type { ObjectStore } from './object-store.ts'
import type { TradingDesk } from './orders.ts'
import type { PasswordHasher } from './passwords.ts'
import type { RateLimits } from './rate-limits.ts'

/** What every feature may use; built once in `app.ts`, passed first and explicitly. */
export interface App {
  readonly config: Config
  readonly db: Kysely<Database>
  readonly log: Logger
  readonly clock: Clock
  readonly desk: TradingDesk
  readonly feed: LiveFeed
  readonly limits: RateLimits
  readonly sessions: SessionReader
  readonly passwords: PasswordHasher
  readonly objects: ObjectStore
  /** Where pictures are decoded, one after another. */
  readonly pictureWork: BoundedWork
  /** What `/metrics` shows. */
  readonly metrics: Registry
}

/** What the doors know of sessions; how they begin and end is the auth feature's. */
export interface SessionReader {
  /**
   * Who a session token belongs to, or null: unknown, ended or expired. Prolongs a session that is used;
   * where there is a cookie, so is the cookie.
   */
  userOf(token: string, cookie?: SessionCookie | null): Promise<UserId | null>
  /** Forgets what is remembered of a token and tells the listeners that its session is over. */
  ended(token: string): void
  /** Calls the listener with the token of each session that ends on this node; returns the way to detach it. */
  onEnd(listener: (token: string) => void): () => void
}

/** Sets and clears the session cookie; absent over a WebSocket, which cannot set one. */
export interface SessionCookie {
  set(token: string): void
  clear(): void
}

/** One call, whatever door it came through. */
export interface Context {
  readonly app: App
  /** The client's address; a forwarded one only from a trusted proxy. */
  readonly ip: string
  readonly sessionToken: string | null
  readonly sessionCookie: SessionCookie | null
  /** Adds a header to the answer; does nothing over a WebSocket. */
  header(name: string, value: string): void
  /** Takes one of the connection's places for subscriptions; returns the way to give it back. Throws when there is none. */
  holdSubscription(): () => void
}
