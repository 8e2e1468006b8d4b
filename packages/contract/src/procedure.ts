import type { ZodObject, ZodType, z } from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * API key scopes. `market`: public data and the player's own trades and orders; `read`: all queries; `trade`: orders;
 * `reset`: the account reset; `talk`: posts.
 */
export const API_SCOPES = ['market', 'read', 'trade', 'reset', 'talk'] as const
export type ApiScope = (typeof API_SCOPES)[number]

/** The API keys that can call a procedure: keys with a certain scope, any valid key (`any`), or none (`never`). */
export type KeyAccess = ApiScope | 'any' | 'never'

/**
 * Who can call a procedure. `anyone`: every caller gets the same response. `guestOrPlayer`: the response depends on the
 * caller. `player`, the default: the caller must be logged in.
 */
export type Access = 'anyone' | 'guestOrPlayer' | 'player'

/** What a suspended player can do: everything, or only repeat an order that they placed before. */
export type WhenSuspended = 'allowed' | 'repeats'

export type CallType = 'query' | 'mutation' | 'subscription'

/** Limits in addition to those for reads and writes. */
export type ProcedureLimit =
  | 'confirm'
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
  /** Date until which the operation works, at least a year after `since`. */
  readonly sunset: `${number}-${number}-${number}`
  /** One sentence that names the replacement. */
  readonly instead: string
  /** Path of the replacement for the `Link` header, with the parameters that give the same response. */
  readonly successor: `/api/${string}`
}

/** An example call: the procedure's input, and the body of the REST response. */
export interface Example {
  readonly input?: Readonly<Record<string, unknown>>
  readonly answer: unknown
}

/** All of a procedure's properties except its schemas. */
interface Details {
  /**
   * The API keys that can call the procedure. Default: `market` for queries open to `anyone`, `read` for other queries,
   * `never` for mutations. A key without this scope can still read what guests can read.
   */
  readonly apiKey?: KeyAccess
  /** Role that the caller must have; other callers get 404. API keys never have a role. */
  readonly role?: 'moderator' | 'operator'
  /** By default, a suspended player can only call queries. */
  readonly whenSuspended?: WhenSuspended
  readonly limit?: ProcedureLimit
  /** Returns the extra reads that a call with this input counts as. The input is not validated yet. */
  readonly reads?: (input: unknown) => number
  /** Whether the procedure also accepts tokens of fairs. By default, it only knows the fairground's tokens. */
  readonly inFairs?: true
  /** The call must not share a batch with other calls. */
  readonly alone?: true
  /**
   * The server does not validate a cached procedure's output on each call, because the query cache did. Uncached pages
   * are not validated, so their readers must name each field.
   */
  readonly cached?: true

  /** Method and path in OpenAPI's notation, where braces name an input field. */
  readonly rest?: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/${string}`
  /** Method name in generated clients: a verb and a noun. Never change the name after a release. */
  readonly operationId?: string
  /** A one-sentence summary for the OpenAPI document. */
  readonly summary?: string
  /** HTTP status of a successful REST call. Default: 200. Dry runs always return 200. */
  readonly status?: 201
  /** Error codes in addition to the common codes for this kind of procedure. */
  readonly errors?: readonly ErrorCode[]
  readonly deprecated?: Deprecation
  readonly example?: Example
  /** Whether REST returns 401 if the output is null. */
  readonly refusesGuests?: true
  /** The output property that becomes the REST response's body. The output's `nextCursor` becomes a Link header. */
  readonly list?: string
  /** Returns the cursor for the next page; null after the last. */
  readonly nextCursor?: (output: never, limit: number | undefined) => string | number | null
  /** The output property that REST completes to an absolute URL. */
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
  /** Schema of the input; null if the procedure has none. */
  readonly input: Input
  /** Schema of the output, or of the events for a subscription. */
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

/** Returns the scopes that allow an API key to call the procedure; empty if no key can. */
export function getAcceptedScopes(procedure: KeyFacts): readonly ApiScope[] {
  return acceptedScopes[getKeyAccess(procedure)]
}

/**
 * Returns whether guests can call the procedure. Then every API key can, too; a key without the scope reads as a guest.
 */
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
 * Returns whether every caller gets the same response. Such responses can be shared and compressed, and stay cached
 * when a player logs out.
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
