import type { Database } from '@papermoon/db'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { LiveFeed } from './events/live-feed.ts'
import type { UserId } from './ids.ts'
import type { TradingDesk } from './orders.ts'
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
}

/** Who a session token belongs to, or null: unknown, ended or expired. */
export interface SessionReader {
  userOf(token: string): Promise<UserId | null>
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
}
