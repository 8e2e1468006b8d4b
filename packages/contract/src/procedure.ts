import type { ZodObject, ZodType, z } from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * API key scopes. `market`: public data and the player's own trades and orders; `read`: all queries; `trade`: orders;
 * `reset`: the account reset; `talk`: posts.
 */
export const API_SCOPES = ['market', 'read', 'trade', 'reset', 'talk'] as const
export type ApiScope = (typeof API_SCOPES)[number]

/** The API keys that can call a procedure: keys with a certain scope, every valid key (`any`), or no key (`never`). */
export type KeyAccess = ApiScope | 'any' | 'never'

/**
 * The callers of a procedure. With `anyone`, every caller gets the same response. With `guestOrPlayer`, the response
 * depends on the caller. With `player`, the default, the caller must be logged in.
 */
export type Access = 'anyone' | 'guestOrPlayer' | 'player'

/** The calls that a suspended player can make: all, or only repeats of earlier orders. */
export type WhenSuspended = 'allowed' | 'repeats'

export type CallType = 'query' | 'mutation' | 'subscription'

/** Rate limits that a call has in addition to those for reads and writes. */
export type ProcedureLimit =
  | 'attempt'
  | 'launch'
  | 'sign-in'
  | 'talk'
  | 'talk-report'
  | 'upload'
  | 'waiting'
  | 'webhook'

/** Data about a deprecated REST operation, which works at least until `sunset`. */
export interface Deprecation {
  readonly since: `${number}-${number}-${number}`
  /** Earliest date on which the operation may stop working, a year or more after `since`. */
  readonly sunset: `${number}-${number}-${number}`
  /** A sentence that names the replacement. */
  readonly instead: string
  /** Path of the replacement for the `Link` header. The replacement gives the same response to the same parameters. */
  readonly successor: `/api/${string}`
}

/** An example call: the procedure's input, and the body of the REST response. */
export interface Example {
  readonly input?: Readonly<Record<string, unknown>>
  readonly response: unknown
}

/** All properties of a procedure except its schemas. */
interface Details {
  /**
   * Which API keys can call the procedure. The default is `market` for queries open to `anyone`, `read` for other
   * queries, and `never` for mutations. A key without the scope can still call a query as a guest.
   */
  readonly apiKey?: KeyAccess
  /** Role that the caller needs. Other callers and all API keys get 404. */
  readonly role?: 'moderator' | 'operator'
  /** The calls that a suspended player can make. By default, a suspended player can only make queries. */
  readonly whenSuspended?: WhenSuspended
  readonly limit?: ProcedureLimit
  /** Returns the number of extra reads that a call counts as in the rate limit. The input is not validated yet. */
  readonly reads?: (input: unknown) => number
  /** Whether the procedure also accepts tokens of other fairs than the fairground. */
  readonly inFairs?: true
  /** Whether the call must not share a batch with other calls. */
  readonly alone?: true
  /**
   * Whether the query cache validates the output, so that calls need not. The server does not validate uncached pages
   * of such a procedure. The code of such a page must therefore list each field.
   */
  readonly cached?: true

  /** Method and path in OpenAPI's notation. Names of input fields are in braces. */
  readonly rest?: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/${string}`
  /** Name of the method in generated clients: a verb and a noun. The name never changes after a release. */
  readonly operationId?: string
  /** A one-sentence summary for the OpenAPI document. */
  readonly summary?: string
  /** HTTP status of a successful REST call (default: 200). Dry runs always return 200. */
  readonly status?: 201
  /** Error codes in addition to the common codes of this kind of procedure. */
  readonly errors?: readonly ErrorCode[]
  readonly deprecated?: Deprecation
  readonly example?: Example
  /** Whether REST returns 401 if the output is null. */
  readonly refusesGuests?: true
  /** The output property that is the body of the REST response. The property `nextCursor` becomes a Link header. */
  readonly list?: string
  /** Returns the cursor of the next page, or null after the last page. */
  readonly nextCursor?: (output: never, limit: number | undefined) => string | number | null
  /** The output property that contains a path. REST converts the path to an absolute URL. */
  readonly address?: string
  /** Whether the response may set a cookie. */
  readonly setsCookie?: true
}

/** One operation of the API, for all transports. */
export interface Procedure<
  Type extends CallType = CallType,
  Caller extends Access = Access,
  Input extends ZodObject | null = ZodObject | null,
  Output extends ZodType = ZodType,
> extends Details {
  readonly type: Type
  readonly access: Caller
  /** Schema of the input, or null if the procedure has none. */
  readonly input: Input
  /** Schema of the output. For a subscription, schema of the events. */
  readonly output: Output
}

export const query = createDefine('query')
export const mutation = createDefine('mutation')
export const subscription = createDefine('subscription')

function createDefine<Type extends CallType>(type: Type) {
  return <Output extends ZodType, Caller extends Access = 'player', Input extends ZodObject | null = null>(
    entry: Details & { readonly access?: Caller; readonly input?: Input; readonly output: Output },
  ): Procedure<Type, Caller, Input, Output> => ({
    access: 'player' as Caller,
    ...entry,
    ...{ type, input: (entry.input ?? null) as Input },
  })
}

export type InputOf<P extends Procedure> = P['input'] extends ZodObject ? z.output<P['input']> : undefined
export type OutputOf<P extends Procedure> = z.output<P['output']>

type KeyFacts = Pick<Procedure, 'apiKey' | 'type' | 'access' | 'role'>

export function getKeyAccess({ apiKey, type, access, role }: KeyFacts): KeyAccess {
  if (role !== undefined) return 'never'
  if (apiKey !== undefined) return apiKey
  if (type === 'mutation') return 'never'
  return access === 'anyone' ? 'market' : 'read'
}

/** Returns the scopes with which an API key can call the procedure, or none if no key can. */
export function getAcceptedScopes(procedure: KeyFacts): readonly ApiScope[] {
  return acceptedScopes[getKeyAccess(procedure)]
}

/** Returns whether guests can call the procedure. In this case, keys without the scope can also call it. */
export function isForGuests({ type, access, refusesGuests }: Pick<Procedure, 'type' | 'access' | 'refusesGuests'>) {
  return type !== 'mutation' && access !== 'player' && refusesGuests !== true
}

const acceptedScopes: Readonly<Record<KeyAccess, readonly ApiScope[]>> = {
  market: ['market', 'read'],
  read: ['read'],
  trade: ['trade'],
  reset: ['reset'],
  talk: ['talk'],
  any: API_SCOPES,
  never: [],
}

/**
 * Returns whether every caller gets the same response. Such a response can be shared, compressed, and cached after a
 * logout.
 */
export function isPublic({ type, access }: Pick<Procedure, 'type' | 'access'>): boolean {
  return type === 'query' && access === 'anyone'
}

/** Counts the extra reads for a page: one per `rowsPerRead` rows. The input is not validated yet. */
export function countRows(rowsPerRead: number, { usual = 0, max }: { readonly usual?: number; readonly max: number }) {
  return (input: unknown): number => {
    const { limit = usual } = Object(input) as { limit?: unknown }
    return typeof limit === 'number' && limit > 0 && limit <= max ? Math.floor(limit / rowsPerRead) : 0
  }
}
