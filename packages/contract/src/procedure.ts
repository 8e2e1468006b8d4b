import type { ZodObject, ZodType, z } from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * Scopes of API keys. `market`: public data and the player's own trades and orders; `read`: all queries; `trade`: orders;
 * `reset`: the account reset; `talk`: posts.
 */
export const API_SCOPES = ['market', 'read', 'trade', 'reset', 'talk'] as const
export type ApiScope = (typeof API_SCOPES)[number]

/** Which API keys can call a procedure: those with a scope, any valid key (`any`), or none (`never`). */
export type KeyAccess = ApiScope | 'any' | 'never'

/**
 * `anyone`: every caller gets the same answer. `guestOrPlayer`: the answer depends on the caller. `player`, the default:
 * must be logged in.
 */
export type Access = 'anyone' | 'guestOrPlayer' | 'player'

/** What a suspended player can do: everything, or only repeat an order that was placed before. */
export type WhenSuspended = 'allowed' | 'repeats'

export type CallType = 'query' | 'mutation' | 'subscription'

/** Further limits, besides those of reads and writes. */
export type ProcedureLimit =
  | 'confirm'
  | 'launch'
  | 'sign-in'
  | 'talk'
  | 'talk-report'
  | 'upload'
  | 'waiting'
  | 'webhook'

/** A deprecated REST operation. It works at least until `sunset`. */
export interface Deprecation {
  readonly since: `${number}-${number}-${number}`
  /** At least a year after `since`. */
  readonly sunset: `${number}-${number}-${number}`
  /** One sentence that names the replacement. */
  readonly instead: string
  /** Path of the replacement, for `Link`, with the parameters that give the same answer. */
  readonly successor: `/api/${string}`
}

/** An example of a call: the procedure's input, and the body of the REST answer. */
export interface Example {
  readonly input?: Readonly<Record<string, unknown>>
  readonly answer: unknown
}

/** All properties of a procedure except its schemas. */
interface Details {
  /**
   * Access of API keys. Default: `market` for queries of `anyone`, `read` for other queries, `never` for mutations. A key
   * without access can still read what guests can.
   */
  readonly apiKey?: KeyAccess
  /** Required role; others get 404. API keys never have a role. */
  readonly role?: 'moderator' | 'operator'
  /** By default, a suspended player can only call queries. */
  readonly whenSuspended?: WhenSuspended
  readonly limit?: ProcedureLimit
  /** Extra reads that a call with this input counts as. The input is not validated yet. */
  readonly reads?: (input: unknown) => number
  /** Whether it also works for tokens of fairs. By default, it only knows the fairground's. */
  readonly inFairs?: true
  /** Must not share a batch with other calls. */
  readonly alone?: true
  /**
   * Calls do not validate the output, because the query cache did. Uncached pages are not validated, so their readers must
   * name each field.
   */
  readonly cached?: true

  /** Method and path as in OpenAPI. Braces name an input field. */
  readonly rest?: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/${string}`
  /** Method name in generated clients: a verb and a noun. Never change it after a release. */
  readonly operationId?: string
  /** One sentence. */
  readonly summary?: string
  /** REST's status of success. Default: 200, which dry runs always have. */
  readonly status?: 201
  /** Error codes besides the common ones of its kind. */
  readonly errors?: readonly ErrorCode[]
  readonly deprecated?: Deprecation
  readonly example?: Example
  /** Whether REST answers 401 if the output is null. */
  readonly refusesGuests?: true
  /** The output's property that becomes REST's body. Its `nextCursor` becomes a Link header. */
  readonly list?: string
  /** Returns the cursor for the next page; null after the last. */
  readonly nextCursor?: (output: never, limit: number | undefined) => string | number | null
  /** The output's property that REST completes to an absolute URL. */
  readonly address?: string
  /** Whether the answer may set a cookie. */
  readonly setsCookie?: true
}

/** One operation of the API, over every transport. */
export interface Procedure<
  Type extends CallType = CallType,
  Caller extends Access = Access,
  Input extends ZodObject | null = ZodObject | null,
  Output extends ZodType = ZodType,
> extends Details {
  readonly type: Type
  readonly access: Caller
  /** Null if it has no input. */
  readonly input: Input
  /** For a subscription, the schema of its events. */
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

/** The scopes that allow an API key to call it; empty if no key can. */
export function getAcceptedScopes(procedure: KeyFacts): readonly ApiScope[] {
  return acceptedScopes[getKeyAccess(procedure)]
}

/** Whether guests can read it. Then every API key can, too; without the scopes it reads as a guest. */
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

/** Whether every caller gets the same answer. Such answers can be shared, compressed, and cached when a player logs out. */
export function isPublic({ type, access }: Pick<Procedure, 'type' | 'access'>): boolean {
  return type === 'query' && access === 'anyone'
}

/** Counts the extra reads of a page, one per `rowsPerRead` rows. Its input is not validated yet. */
export function countRows(rowsPerRead: number, { usual = 0, max }: { readonly usual?: number; readonly max: number }) {
  return (input: unknown): number => {
    const { limit = usual } = Object(input) as { limit?: unknown }
    return typeof limit === 'number' && limit > 0 && limit <= max ? Math.floor(limit / rowsPerRead) : 0
  }
}
