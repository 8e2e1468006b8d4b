import type { Network } from '@papermoon/contract/networks'
import type { ApiScope } from '@papermoon/contract/procedure'
import type { AccountStatus, Db } from '@papermoon/db'
import type { Clock, OrderEntry, Timers, UserId } from '@papermoon/engine'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Memory } from './cache/memory.ts'
import type { QueryCache } from './cache/query-cache.ts'
import type { Config } from './config.ts'
import type { JournalReader } from './events/journal-reader.ts'
import type { LiveFeed } from './events/live-feed.ts'
import type { EventStream } from './events/stream/event-stream.ts'
import type { StreamMetrics } from './events/stream/live-subscription.ts'
import type { WrittenHistory } from './events/written-history.ts'
import type { NoticeFeed } from './features/notices/notice-feed.ts'
import type { Mailer } from './mailer.ts'
import type { OutboundRules } from './security/outbound.ts'
import type { ProofOfWork } from './security/proof-of-work/proof-of-work.ts'
import type { RateLimits } from './security/rate-limits.ts'
import type { SecretBox } from './security/secret-box.ts'
import type { SecurityLog } from './security/security-log.ts'
import type { ObjectStore } from './storage/object-store.ts'
import type { Span, Tracing } from './tracing/tracing.ts'

/** The terminal from which the operator started the server. */
export type Terminal = Pick<NodeJS.WritableStream, 'write'>

/**
 * The parts of the server that features use. `app.ts` creates them once, and functions get them as their first
 * argument.
 */
export interface App {
  readonly platform: Platform
  readonly accounts: Accounts
  readonly market: Market
  readonly live: Live
}

/** Parts of the process: settings, time, storage, outgoing connections, and observability. */
export interface Platform {
  readonly config: Config
  readonly clock: Clock
  readonly timers: Timers
  readonly db: Db
  readonly objects: ObjectStore
  /** Null if no mail server is configured. */
  readonly mailer: Mailer | null
  /** Rules that say which hosts of other people this server may call. */
  readonly outbound: OutboundRules
  /** Terminal on which the operator reads secrets that no log may contain; null if there is none. */
  readonly terminal: Terminal | null
  readonly log: Logger
  readonly metrics: Registry
  /** Null if no collector is configured. */
  readonly tracing: Tracing | null
  /**
   * The signal is aborted when the server is about to stop. After this signal, the server still responds, but `/readyz`
   * says that it is not ready.
   */
  readonly draining: AbortController
}

/** Parts that handle callers, rate limits and secrets. */
export interface Accounts {
  readonly sessions: SessionReader
  readonly apiKeys: ApiKeyReader
  readonly limits: RateLimits
  readonly proofOfWork: ProofOfWork
  readonly passwords: PasswordHasher
  /** Encrypts secrets that the server must be able to read again, such as TOTP secrets. */
  readonly secrets: SecretBox
  readonly passkeyLoginKey: Buffer
  /** Logs logins, rejections and other security events. */
  readonly securityLog: SecurityLog
}

/** Parts that handle orders and shared reads. */
export interface Market {
  readonly engine: OrderEntry
  /** Results of public queries, which all callers share. */
  readonly queryCache: QueryCache
  /** Data that features store in memory on this node. */
  readonly memory: Memory
  /** State of the demo world's history, which produces no events. */
  readonly history: WrittenHistory
  /** The app for all fairs except the fairground, with its own market. The fairs' own app has no such field. */
  readonly fairs?: App
}

/** Parts that deliver events of the engine, of other nodes and of the journal. */
export interface Live {
  readonly feed: LiveFeed
  /** The whole market's events, for subscribers that resume with a cursor. */
  readonly stream: EventStream
  /** Reads the journal for subscribers that resume. */
  readonly journal: JournalReader
  readonly streamMetrics: StreamMetrics
  /** New notices for this node's open pages. */
  readonly notices: NoticeFeed
}

/** The part of the app that a function needs: `AppPart<'db' | 'feed'>` is an app with `platform.db` and `live.feed`. */
export type AppPart<Name extends keyof Platform | keyof Accounts | keyof Market | keyof Live> = {
  readonly [Group in keyof App as Extract<keyof App[Group], Name> extends never ? never : Group]: Pick<
    App[Group],
    Extract<keyof App[Group], Name>
  >
}

/** The player who makes a call. */
export interface Caller {
  readonly userId: UserId
  readonly accountStatus: AccountStatus
  /** Whether the account is a bot, declared by its owner or run by the house. */
  readonly isBot: boolean
}

/** The SHA-256 in hex that identifies a session token or API key without revealing it. */
export type CredentialId = string & { readonly __brand: 'CredentialId' }

/** Caches credentials on this node for a few seconds. */
export interface KnownCredentials {
  /** Removes the owner of every credential from the cache, so that this node uses a changed account at once. */
  clear(): void
  /** Removes a credential from the cache and notifies the listeners. */
  revoke(id: CredentialId): void
  /** Returns whether this node recently found that the credential belongs to a player who may make calls. */
  has(id: CredentialId, now: Date): boolean
  /**
   * Calls the listener with each credential that is revoked on this node. Returns a function that removes the listener.
   */
  onRevoked(listener: (id: CredentialId) => void): () => void
}

/** Checks whether the credentials that opened live sockets are still valid. */
export interface CredentialReader {
  readonly cache: KnownCredentials
  /**
   * Returns which of the credentials are still valid, according to the database. Credentials of frozen accounts are not
   * valid.
   */
  findValid(ids: readonly CredentialId[]): Promise<ReadonlySet<CredentialId>>
}

/** Finds sessions for the transports. Only the auth feature creates and ends sessions. */
export interface SessionReader extends CredentialReader {
  /**
   * Returns the session's player, or null if there is no valid session. Extends an active session and its cookie, and
   * records when and from where the session was used.
   */
  find(visit: SessionVisit): Promise<Caller | null>
}

/** The parts of a call that identify its session. */
export type SessionVisit = Pick<Context, 'cookies' | 'ip' | 'userAgent'>

/** A stored API key with its player. */
export interface ApiKeyRecord extends Caller {
  readonly keyId: number
  readonly scopes: readonly ApiScope[]
  /** Time at which the key expires. Null if it never expires. */
  readonly expiresAt: Date | null
  /** Networks from which the key works. Null means that the key works from any network. */
  readonly networks: readonly Network[] | null
  /** Whether the engine limits what the key spends. */
  readonly hasSpendingLimit: boolean
}

/** Finds API keys for the transports. Only the api-keys feature creates and revokes keys. */
export interface ApiKeyReader extends CredentialReader {
  /** Returns the key's record, even if the key has expired. Returns null if the key is unknown or revoked. */
  find(key: string): Promise<ApiKeyRecord | null>
}

/** Hashes and verifies a limited number of passwords at a time. */
export interface PasswordHasher {
  /** Hashes a password with argon2id for the caller at `ip`. Throws `PasswordQueueFullError`. */
  hash(ip: string, password: string): Promise<string>
  /**
   * Returns whether a password matches a hash. Without a hash, does the same work and returns false, so that the
   * response time does not reveal which accounts exist. Throws `PasswordQueueFullError`.
   */
  fits(ip: string, password: string, passwordHash: string | undefined): Promise<boolean>
}

/** The WebAuthn relying party: a domain, and the only origin that may use the domain's passkeys. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/** Sets and clears one of the server's cookies. */
export interface CookieWriter {
  /** Whether the cookie's name has the `__Host-` prefix, which other hosts cannot set. */
  readonly hasPrefix: boolean
  /** Sets the cookie; `maxAgeS` shortens the usual lifetime. */
  set(token: string, maxAgeS?: number): void
  clear(): void
}

/**
 * One of the server's cookies, as read in a call. If the call has a bearer token, the server ignores the cookie, and
 * both fields are null.
 */
export interface CallCookie {
  readonly token: string | null
  /**
   * Sends the cookie to the browser. Null for calls over a WebSocket, which cannot set cookies, and for calls with a
   * bearer token.
   */
  readonly writer: CookieWriter | null
}

export interface CallCookies {
  /**
   * The session cookie. `isOld` means that the cookie came over HTTPS without the `__Host-` prefix and must be
   * replaced.
   */
  readonly session: CallCookie & { readonly isOld: boolean }
  /** Identifies the password reset that this browser requested. */
  readonly reset: CallCookie
  /** Proves to which accounts this browser has logged in before. */
  readonly trustedBrowser: CallCookie
  /** Identifies the passkey login that this browser began. */
  readonly passkey: CallCookie
  /** A random identifier for this browser, not a fingerprint. */
  readonly browser: CallCookie
}

/** One call of a procedure, over any transport. */
export interface Context {
  readonly app: App
  /** The client's IP address. A forwarded address is used only if it comes from a trusted proxy. */
  readonly ip: string
  /** The user agent. For calls over a WebSocket, this is the user agent of the upgrade request. */
  readonly userAgent: string | null
  /** Whether a browser treats the page as a secure context: HTTPS or localhost. */
  isSecureContext(): boolean
  /** The solution from the `Proof-Of-Work` header, not yet verified. */
  readonly proofOfWork: string | null
  /** The bearer token. */
  readonly apiKey: string | null
  readonly cookies: CallCookies
  /**
   * The tracing span of the call. Null if the request is not sampled. The span is undefined for a call over a
   * WebSocket, because each call there is sampled separately.
   */
  readonly span?: Span | null
  /** Returns the WebAuthn relying party for the requested URL; null if passkeys cannot work there. */
  relyingParty(): RelyingParty | null
  /**
   * Sends the caller the journal positions that include the caller's order, for the caller's next reads. The function
   * is undefined if the caller's next reads reach this node anyway, because the node runs alone or the call came over a
   * WebSocket.
   */
  reportPosition?: (() => void) | undefined
  /** Sets a response header. Does nothing for calls over a WebSocket. */
  header(name: string, value: string): void
  /**
   * Reserves one of the connection's subscription slots. Returns a function that releases the slot. Throws an error
   * when the connection has no free slot.
   */
  acquireSubscriptionSlot(): () => void
}
