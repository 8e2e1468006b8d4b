import type { ZodObject, ZodType, z } from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * `market`: public data and the player's own trades and orders; `read`: all queries; `trade`: orders; `reset`: the
 * account reset; `talk`: posts.
 */
export const API_SCOPES = ['market', 'read', 'trade', 'reset', 'talk'] as const
export type ApiScope = (typeof API_SCOPES)[number]

/** Access of API keys to a procedure: with a scope, with any valid key (`any`), or not at all (`never`). */
export type KeyAccess = ApiScope | 'any' | 'never'

/** `anyone` is answered alike, `guestOrPlayer` by who calls, and `player`, the default, must be signed in. */
export type Access = 'anyone' | 'guestOrPlayer' | 'player'

/** What a suspended player may do: everything, or only repeat an order that was placed before. */
export type WhenSuspended = 'allowed' | 'repeats'

export type CallType = 'query' | 'mutation' | 'subscription'

/** Limits that calls of a procedure count against, beside those of reads and writes. */
export type ProcedureLimit =
  | 'confirm'
  | 'launch'
  | 'sign-in'
  | 'talk'
  | 'talk-report'
  | 'upload'
  | 'waiting'
  | 'webhook'

/** Why a REST operation should no longer be used; it works at least until `sunset`. */
export interface Deprecation {
  readonly since: `${number}-${number}-${number}`
  /** At least a year after `since`. */
  readonly sunset: `${number}-${number}-${number}`
  /** One sentence that names the replacement. */
  readonly instead: string
  /** The address of the replacement, for `Link`; its parameters are those that give the same answer. */
  readonly successor: `/api/${string}`
}

/** An example of a call: the procedure's input, and the body of REST's answer. */
export interface Example {
  readonly input?: Readonly<Record<string, unknown>>
  readonly answer: unknown
}

/** Everything about a procedure but its schemas. */
interface Details {
  /**
   * Access of API keys; by default `market` for queries of `anyone`, `read` for other queries, `never` for mutations. A key
   * without it still gets what a guest may read.
   */
  readonly apiKey?: KeyAccess
  /** Who else may call it only: everybody but moderators, or operators, is told that there is nothing. Never by an API key. */
  readonly role?: 'moderator' | 'operator'
  /** By default a suspended player may call queries only. */
  readonly whenSuspended?: WhenSuspended
  readonly limit?: ProcedureLimit
  /** How many additional reads a call with this input counts as; the input is not validated yet. */
  readonly reads?: (input: unknown) => number
  /** Whether it also answers for tokens of fairs; the others know the fairground's only. */
  readonly inFairs?: true
  /** Must not share a batch with other calls. */
  readonly alone?: true
  /**
   * Calls do not validate the output: the query cache did when it was computed. Pages past the cache are not validated, so
   * their readers name each field.
   */
  readonly cached?: true

  /** Method and path as in OpenAPI; braces name the field of the input that they fill. */
  readonly rest?: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/${string}`
  /** Method name in generated clients: a verb and a noun, never changed once released. */
  readonly operationId?: string
  /** One sentence. */
  readonly summary?: string
  /** REST's status of success; 200 by default, and for a dry run. */
  readonly status?: 201
  /** Codes beside those of every operation of its kind. */
  readonly errors?: readonly ErrorCode[]
  readonly deprecated?: Deprecation
  readonly example?: Example
  /** REST answers 401 where the output is null. */
  readonly refusesGuests?: true
  /** The property of the output that is REST's body; `nextCursor` beside it becomes a Link header. */
  readonly list?: string
  /** The cursor of the page after this output; null after the last. */
  readonly nextCursor?: (output: never, limit: number | undefined) => string | number | null
  /** The property of the output that REST completes to an absolute address. */
  readonly address?: string
  /** Whether the answer may set a cookie. */
  readonly setsCookie?: true
}

/** One operation of the API, for every transport. */
export interface Procedure<
  Type extends CallType = CallType,
  Caller extends Access = Access,
  Input extends ZodObject | null = ZodObject | null,
  Output extends ZodType = ZodType,
> extends Details {
  readonly type: Type
  readonly access: Caller
  /** Null for a procedure without input. */
  readonly input: Input
  /** Of a subscription, each of its events. */
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

/** An API key needs one of these scopes; empty if no key may call it. */
export function getAcceptedScopes(procedure: KeyFacts): readonly ApiScope[] {
  return acceptedScopes[getKeyAccess(procedure)]
}

/** Whether a guest may read it; then every key may, as a guest where it lacks the scopes. */
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

/** Whether it answers every caller alike: such answers may be shared, compressed, and kept when a player leaves. */
export function isPublic({ type, access }: Pick<Procedure, 'type' | 'access'>): boolean {
  return type === 'query' && access === 'anyone'
}

/** Counts the reads that a page costs beside the call itself: one for so many rows. Its input is not validated yet. */
export function countRows(rowsPerRead: number, { usual = 0, max }: { readonly usual?: number; readonly max: number }) {
  return (input: unknown): number => {
    const { limit = usual } = Object(input) as { limit?: unknown }
    return typeof limit === 'number' && limit > 0 && limit <= max ? Math.floor(limit / rowsPerRead) : 0
  }
}
