import type { AccountStatus, Database } from '@papermoon/db'
import type { Clock, OrderEntry, UserId } from '@papermoon/engine'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { QueryCache } from './cache/query-cache.ts'
import type { Config } from './config.ts'
import type { JournalPages } from './events/journal-pages.ts'
import type { LiveFeed } from './events/live-feed.ts'
import type { WorkQueue } from './lib/work-queue.ts'
import type { Mailer } from './mailer.ts'
import type { SpanStarts } from './players/span-starts.ts'
import type { CredentialId } from './security/credentials.ts'
import type { Network } from './security/networks.ts'
import type { RelyingParty } from './security/passkeys/relying-party.ts'
import type { PasswordHasher } from './security/passwords.ts'
import type { ProofOfWork } from './security/proof-of-work/proof-of-work.ts'
import type { RateLimits } from './security/rate-limits.ts'
import type { SecretBox } from './security/secret-box.ts'
import type { SecurityLog } from './security/security-log.ts'
import type { ObjectStore } from './storage/object-store.ts'

/** What every feature may use; built once in `app.ts`, passed first and explicitly. */
export interface App {
  readonly config: Config
  readonly db: Kysely<Database>
  readonly log: Logger
  /** The lines of the log that tell of sign-ins, refusals and the like. */
  readonly securityLog: SecurityLog
  readonly clock: Clock
  readonly engine: OrderEntry
  readonly feed: LiveFeed
  /** What resuming readers of one token are sent, shared by all who do. */
  readonly journalPages: JournalPages
  /** What everybody may read, shared by all who do. */
  readonly queryCache: QueryCache
  readonly spanStarts: SpanStarts
  readonly limits: RateLimits
  readonly proofOfWork: ProofOfWork
  /** Of the challenges that guests sign. */
  readonly passkeyLoginKey: Buffer
  readonly sessions: SessionReader
  readonly apiKeys: ApiKeyReader
  readonly passwords: PasswordHasher
  /** Encrypts what must be read again. */
  readonly secrets: SecretBox
  /** Null where no server for mail is configured. */
  readonly mailer: Mailer | null
  readonly objects: ObjectStore
  /** Where pictures are decoded, one after another. */
  readonly pictureWork: WorkQueue
  /** Refuses properties that a procedure, by its full name, does not take. Throws `BadInputError`. */
  assertKnownInput(path: string, input: unknown): void
  /** What `/metrics` shows. */
  readonly metrics: Registry
}

/** The player a call comes from, and what an operator lets them do. */
export interface Caller {
  readonly userId: UserId
  readonly accountStatus: AccountStatus
}

/** What sockets need to know of the credentials they were opened with. */
export interface CredentialReader {
  /** Forgets what is remembered of a credential and tells the listeners that it ended. */
  revoke(id: CredentialId): void
  /** Calls the listener with each credential that ends on this node; returns the way to detach it. */
  onRevoked(listener: (id: CredentialId) => void): () => void
  /** Those of these credentials that are still good, whatever node ended the others; of a frozen account none is. */
  findValid(ids: readonly CredentialId[]): Promise<ReadonlySet<CredentialId>>
}

/** What the doors know of sessions; how they begin and end is the auth feature's. */
export interface SessionReader extends CredentialReader {
  /**
   * Who a session belongs to, or null: none, unknown, ended or expired. Prolongs a session that is used; where there
   * is a cookie, so is the cookie. Notes when and from where it is used.
   */
  find(visit: SessionVisit): Promise<Caller | null>
}

/** What a call says of its session. */
export type SessionVisit = Pick<Context, 'sessionToken' | 'sessionCookie' | 'hasOldCookie' | 'ip' | 'userAgent'>

/** What an API key may be made for: queries; orders. */
export type ApiScope = 'read' | 'trade'

/** What an API key stands for. */
export interface ApiKeyRecord extends Caller {
  readonly scopes: readonly ApiScope[]
  /** Null for a key that does not expire. */
  readonly expiresAt: Date | null
  /** Where it works from; null for everywhere. */
  readonly networks: readonly Network[] | null
}

/** What the doors know of API keys; how they are made and revoked is their feature's. */
export interface ApiKeyReader extends CredentialReader {
  /** What a key stands for, expired or not; null for one that is unknown or revoked. */
  find(key: string): Promise<ApiKeyRecord | null>
}

/** Sets and clears a cookie of ours; absent over a WebSocket, which cannot set one. */
export interface TokenCookie {
  /** Its name has the prefix that keeps other hosts from planting it: the browser came over https. */
  readonly hasPrefix: boolean
  /** Sets it for its usual time, or for less. */
  set(token: string, maxAgeS?: number): void
  clear(): void
}

/** One call, whatever door it came through. */
export interface Context {
  readonly app: App
  /** The client's address; a forwarded one only from a trusted proxy. */
  readonly ip: string
  /** What the client says it is; of a WebSocket, at its upgrade. */
  readonly userAgent: string | null
  /** Whether the call was made on this machine, through no proxy. */
  readonly isLocal: boolean
  /** Whether a browser that asked takes the page for secure: HTTPS, or this machine. */
  readonly isSecureContext: boolean
  /** The answer to a puzzle that the call brings, not checked yet. */
  readonly proofOfWork: string | null
  /** What the call came with as a bearer; beside it no cookie counts, so the tokens and cookies here are null. */
  readonly apiKey: string | null
  readonly sessionToken: string | null
  readonly sessionCookie: TokenCookie | null
  /** The session's token came over https in a cookie without the prefix, as all did once: it is to be swapped. */
  readonly hasOldCookie: boolean
  /** Says which password reset this browser asked for. */
  readonly resetToken: string | null
  readonly resetCookie: TokenCookie | null
  /** Says which accounts this browser signed in to before. */
  readonly trustedBrowserToken: string | null
  readonly trustedBrowserCookie: TokenCookie | null
  /** Says which passkey login this browser began. */
  readonly passkeyToken: string | null
  readonly passkeyCookie: TokenCookie | null
  /** Whom passkeys are for at the address that was asked; null where there can be none. */
  relyingParty(): RelyingParty | null
  /** Says which browser this is, by chance and not by what it is like. */
  readonly browserToken: string | null
  readonly browserCookie: TokenCookie | null
  /** Adds a header to the answer; does nothing over a WebSocket. */
  header(name: string, value: string): void
  /** Takes one of the connection's places for subscriptions; returns the way to give it back. Throws when there is none. */
  acquireSubscriptionSlot(): () => void
}
