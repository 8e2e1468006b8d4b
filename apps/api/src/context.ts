import type { Network } from '@papermoon/contract/networks'
import type { ApiScope } from '@papermoon/contract/procedure'
import type { AccountStatus, Db } from '@papermoon/db'
import type { Clock, OrderEntry, Timers, UserId } from '@papermoon/engine'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { CredentialId } from './accounts/credentials.ts'
import type { QueryCache } from './cache/query-cache.ts'
import type { Config } from './config.ts'
import type { JournalPages } from './events/journal-pages.ts'
import type { LiveFeed } from './events/live-feed.ts'
import type { SeenNumbers } from './events/seen.ts'
import type { EventStream } from './events/stream/event-stream.ts'
import type { PastEvents } from './events/stream/past-events.ts'
import type { StreamMetrics } from './events/stream/stream-metrics.ts'
import type { WrittenHistory } from './events/written-history.ts'
import type { Mailer } from './mailer.ts'
import type { NoticeFeed } from './notices/notice-feed.ts'
import type { OutboundRules } from './security/outbound.ts'
import type { ProofOfWork } from './security/proof-of-work/proof-of-work.ts'
import type { RateLimits } from './security/rate-limits.ts'
import type { SecretBox } from './security/secret-box.ts'
import type { SecurityLog } from './security/security-log.ts'
import type { ObjectStore } from './storage/object-store.ts'
import type { Span, Tracing } from './tracing/tracing.ts'

/** The operator's screen. */
export type Terminal = Pick<NodeJS.WritableStream, 'write'>

/** The dependencies of every feature; built once in `app.ts` and passed explicitly as the first argument. */
export interface App {
  readonly platform: Platform
  readonly accounts: Accounts
  readonly market: Market
  readonly live: Live
}

/** The process: settings, time, storage, the ways out and what observes it. */
export interface Platform {
  readonly config: Config
  readonly clock: Clock
  readonly timers: Timers
  readonly db: Db
  readonly objects: ObjectStore
  /** Null when no mail server is configured. */
  readonly mailer: Mailer | null
  /** Which hosts of strangers this server calls. */
  readonly outbound: OutboundRules
  /** Where the operator reads what no log may hold; null where nobody watches. */
  readonly terminal: Terminal | null
  readonly log: Logger
  readonly metrics: Registry
  /** Null when no collector is configured. */
  readonly tracing: Tracing | null
  /** Aborted when the server is about to stop: it still serves, but `/readyz` says that it is not ready. */
  readonly draining: AbortController
}

/** Who calls, how often, and secrets. */
export interface Accounts {
  readonly sessions: SessionReader
  readonly apiKeys: ApiKeyReader
  readonly limits: RateLimits
  readonly proofOfWork: ProofOfWork
  readonly passwords: PasswordHasher
  /** Encrypts secrets that must be readable again, such as TOTP secrets. */
  readonly secrets: SecretBox
  readonly passkeyLoginKey: Buffer
  /** Log lines about sign-ins, refusals and other security events. */
  readonly securityLog: SecurityLog
}

/** Orders, and reads that all callers share. */
export interface Market {
  readonly engine: OrderEntry
  /** Public query results, shared by all callers. */
  readonly queryCache: QueryCache
  /** The demo world's history, which comes without events. */
  readonly history: WrittenHistory
  /** All fairs but the fairground: an app with a market and events of its own. Absent in that app itself. */
  readonly fairs?: App
}

/** Events, from the engine, other nodes and the journal to every listener. */
export interface Live {
  readonly feed: LiveFeed
  /** Events of the whole market, for listeners that resume by a cursor. */
  readonly stream: EventStream
  /** The journal of the whole market, for those listeners. */
  readonly pastEvents: PastEvents
  readonly streamMetrics: StreamMetrics
  /** Journal pages, shared by all subscribers that resume. */
  readonly journalPages: JournalPages
  /** New notices for the open pages of this node. */
  readonly notices: NoticeFeed
}

/** What a function needs of the app: `AppPart<'db' | 'feed'>` is an app with `platform.db` and `live.feed`. */
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

/** What is known of credentials on this node, for seconds. */
export interface KnownCredentials {
  /** Drops every cached owner, so that a change of an account shows at once on this node. */
  clear(): void
  /** Drops a credential from the cache and notifies the listeners. */
  revoke(id: CredentialId): void
  /** Whether this node found a player by the credential in the last seconds, who may call. */
  has(id: CredentialId, now: Date): boolean
  /** Calls the listener with each credential revoked on this node; returns a function that removes it. */
  onRevoked(listener: (id: CredentialId) => void): () => void
}

/** Lets sockets check whether the credentials they were opened with are still valid. */
export interface CredentialReader {
  readonly cache: KnownCredentials
  /** Which of these credentials are still valid in the database; those of frozen accounts are not. */
  findValid(ids: readonly CredentialId[]): Promise<ReadonlySet<CredentialId>>
}

/** Session lookup for the transports; the auth feature creates and ends sessions. */
export interface SessionReader extends CredentialReader {
  /**
   * The session's player, or null if there is no valid session. Extends a session in use together with its cookie, and
   * records when and from where it was used.
   */
  find(visit: SessionVisit): Promise<Caller | null>
}

/** The parts of a call that identify its session. */
export type SessionVisit = Pick<Context, 'cookies' | 'ip' | 'userAgent'>

/** An API key as stored, and its player. */
export interface ApiKeyRecord extends Caller {
  readonly keyId: number
  readonly scopes: readonly ApiScope[]
  /** Null: never. */
  readonly expiresAt: Date | null
  /** Networks that it may be used from; null: any. */
  readonly networks: readonly Network[] | null
  /** Whether the engine counts what it spends. */
  readonly hasSpendingLimit: boolean
}

/** API key lookup for the transports; the api-keys feature creates and revokes keys. */
export interface ApiKeyReader extends CredentialReader {
  /** The key's record, expired or not; null if it is unknown or revoked. */
  find(key: string): Promise<ApiKeyRecord | null>
}

/** Hashes and verifies passwords, a bounded number at once. */
export interface PasswordHasher {
  /** The argon2id hash of a password, for the caller at `ip`. Throws `PasswordQueueFullError`. */
  hash(ip: string, password: string): Promise<string>
  /**
   * Whether a password matches a hash. Without a hash, false after the same work, so that timing does not reveal which
   * accounts exist. Throws `PasswordQueueFullError`.
   */
  fits(ip: string, password: string, passwordHash: string | undefined): Promise<boolean>
}

/** The WebAuthn relying party: a domain, and the only origin there that may use its passkeys. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/** Sets and clears one of our cookies. */
export interface CookieWriter {
  /** Whether its name has the `__Host-` prefix, which other hosts cannot set; used over HTTPS. */
  readonly hasPrefix: boolean
  /** `maxAgeS` shortens the usual lifetime. */
  set(token: string, maxAgeS?: number): void
  clear(): void
}

/** One of our cookies in a call. Beside a bearer token it is ignored: both are null. */
export interface CallCookie {
  readonly token: string | null
  /** Null also over a WebSocket, which cannot set cookies. */
  readonly writer: CookieWriter | null
}

export interface CallCookies {
  /** `isOld`: it came over HTTPS without the `__Host-` prefix, and is to be replaced. */
  readonly session: CallCookie & { readonly isOld: boolean }
  /** Identifies the password reset that this browser requested. */
  readonly reset: CallCookie
  /** Proves which accounts this browser has signed in to before. */
  readonly trustedBrowser: CallCookie
  /** Identifies the passkey login that this browser began. */
  readonly passkey: CallCookie
  /** A random identifier of this browser, not a fingerprint. */
  readonly browser: CallCookie
}

/** One call of a procedure over any transport. */
export interface Context {
  readonly app: App
  /** The client's IP address; a forwarded one only from a trusted proxy. */
  readonly ip: string
  /** Over a WebSocket, that of the upgrade request. */
  readonly userAgent: string | null
  /** Whether a browser treats the page as a secure context: HTTPS or localhost. */
  readonly isSecureContext: boolean
  /** The solution from the `Proof-Of-Work` header, not yet verified. */
  readonly proofOfWork: string | null
  /** The bearer token. */
  readonly apiKey: string | null
  readonly cookies: CallCookies
  /** The span that the call belongs to; null if its request is not sampled, undefined over a WebSocket, whose calls are sampled alone. */
  readonly span?: Span | null
  /** The WebAuthn relying party for the requested address; null where passkeys cannot work. */
  relyingParty(): RelyingParty | null
  /**
   * Sends the caller which numbers of a token its order left. Absent over a WebSocket, whose reads come to the same node, and on a
   * node that is alone.
   */
  noteSeen?: ((tokenId: number, numbers: SeenNumbers) => void) | undefined
  /** Sets a response header; does nothing over a WebSocket. */
  header(name: string, value: string): void
  /** Reserves one of the connection's subscription slots; returns its release. Throws when all are taken. */
  acquireSubscriptionSlot(): () => void
}
