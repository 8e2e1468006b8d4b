import type { ErrorCode } from '@papermoon/contract/errors'
import { isInNetworks } from '@papermoon/contract/networks'
import {
  type ApiScope,
  getAcceptedScopes,
  type InputOf,
  isForGuests,
  type Procedure,
} from '@papermoon/contract/procedure'
import type { TrpcProcedure } from '@papermoon/contract/router'
import { isConflict, isDatabaseFull, isDatabaseUnavailable, isLockTimeout } from '@papermoon/db'
import { BusyError, DomainError, NotSignedInError, type UserId } from '@papermoon/engine'
import { getTRPCErrorFromUnknown, initTRPC, TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import superjson from 'superjson'
import type { z } from 'zod'
import { isFrozen } from './cache/frozen-json.ts'
import type { ApiKeyRecord, Caller, Context } from './context.ts'
import {
  ApiKeyNotAllowedError,
  DatabaseAwayError,
  getChallenge,
  getFieldErrors,
  InvalidApiKeyError,
  KeyExpiredError,
  KeyNetworkError,
  RateLimitedError,
  toTransport,
} from './errors.ts'
import { LiveSubscription } from './events/stream/live-subscription.ts'
import { assertStatusAllows } from './features/account/account-status.ts'
import { assertRole, NoSuchAddressError } from './features/account/step-up.ts'
import { chooseMarket, type FairMarket, getNamed, watchMember } from './features/fairs/choose-market.ts'
import type { OrderTerms } from './place-order.ts'
import { logAttempt } from './security/attempts.ts'
import type { Span } from './tracing/tracing.ts'
import { assertKnownProperties } from './validation/known-properties.ts'
import { createBadInput, listFieldErrors } from './validation/messages.ts'
import { assertPlainInput, openEnvelope } from './validation/plain-input.ts'

/** The lowest HTTP status of errors that the server causes. */
const FAULT = 500

const same = (value: unknown) => value
/** Inputs are plain JSON. Outputs use superjson's format. */
const transformer = {
  input: { serialize: same, deserialize: same },
  output: { serialize, deserialize: superjson.deserialize },
}

const t = initTRPC.context<Context>().create({
  transformer,
  isDev: false,
  errorFormatter: ({ shape, error }) => {
    const failure = error.cause instanceof DomainError ? error.cause : null
    return {
      ...shape,
      message: failure?.message ?? toPublicMessage(error),
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        path: shape.data.path,
        reason: (failure?.code ?? null) as ErrorCode | null,
        retryAfterS: failure?.retryAfterS ?? null,
        requestKey: failure?.requestKey ?? null,
        details: failure?.details ?? null,
        challenge: (failure && getChallenge(failure)) ?? null,
        errors: failure === null ? [] : getFieldErrors(failure),
      },
    }
  },
})

/** A live subscription is not serialized, because its socket sends the events. */
function serialize(value: unknown): unknown {
  if (value instanceof LiveSubscription) return value
  return isPlain(value) ? { json: value } : superjson.serialize(value)
}

/**
 * Returns whether superjson would not change a value. It changes neither frozen values nor a frozen event with its id.
 */
function isPlain(value: unknown): boolean {
  const { id, data } = Object(value) as { id?: unknown; data?: unknown }
  return isFrozen(value) || (typeof id === 'string' && isFrozen(data))
}

export const router = t.router
/** tRPC's configuration, for responses in tRPC's format. */
export const trpcConfig = t._config

/** The context of a procedure's resolver, by who can call the procedure. */
interface ContextOf {
  readonly anyone: Context
  readonly guestOrPlayer: Context & { readonly userId: UserId | null }
  readonly player: Context & OrderTerms
}

interface ResolverCall<P extends Procedure> {
  readonly ctx: ContextOf[P['access']]
  readonly input: InputOf<P>
  readonly signal: AbortSignal | undefined
}

type Resolver<P extends Procedure> = (
  call: ResolverCall<P>,
) => P['type'] extends 'subscription'
  ? AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>
  : ResultOf<P> | Promise<ResultOf<P>>

/** The result of a resolver. It may contain frozen lists. */
type ResultOf<P extends Procedure> = Readonly<z.input<P['output']>>

/** A call of a procedure over any transport. */
export interface Call {
  readonly ctx: Context
  /** The full name of the procedure. */
  readonly path: string
  /** Returns the call's input without checking it. `run` calls this after counting the call against the limits. */
  readInput(): unknown
  readonly signal?: AbortSignal | undefined
}

/** Runs one call of a procedure. Throws `TRPCError`. */
type Run = (call: Call) => Promise<unknown>

const runs = new WeakMap<Procedure, Run>()

/** Connects a procedure of the contract with its implementation, for tRPC's router and for `run`. */
export function implement<P extends Procedure>(procedure: P, resolve: Resolver<P>): TrpcProcedure<P> {
  const run = createRun(procedure, resolve as Resolver<Procedure>)
  runs.set(procedure, run)
  const resolver = ({ ctx, input, path, signal }: TrpcCall) =>
    run({ ctx, path, readInput: () => openEnvelope(input), signal })
  // Cast the builder, because the contract already defines the types that it would infer.
  const build: (resolve: never) => unknown = t.procedure.input((raw: unknown) => raw)[procedure.type]
  return build(resolver as never) as TrpcProcedure<P>
}

/** The arguments that tRPC passes to a resolver. `run` reads and checks the input itself. */
interface TrpcCall {
  readonly ctx: Context
  readonly input: unknown
  readonly path: string
  readonly signal: AbortSignal | undefined
}

/** Calls a procedure without tRPC's middlewares. Copying their options took a fifth of a cached query's time. */
export async function run(procedure: Procedure, call: Call): Promise<unknown> {
  const answer = runs.get(procedure)
  if (answer === undefined) throw new Error(`${call.path} is not implemented`)
  return await answer(call)
}

function createRun(procedure: Procedure, resolve: Resolver<Procedure>): Run {
  return async ({ ctx: outer, path, readInput, signal }) => {
    const span = startSpan(outer, path, procedure.type)
    const ctx = span === null ? outer : { ...outer, span }
    let release: Release = null
    try {
      const given = await admit(ctx, procedure, readInput)
      release = procedure.type === 'subscription' ? ctx.acquireSubscriptionSlot() : null
      const caller = (await toResolverContext(ctx, procedure)) as ContextOf['player']
      const input = parseInput(procedure, given)
      const named = procedure.inFairs === true ? getNamed(input) : null
      const market = named === null ? null : await chooseMarket(ctx.app, named, () => findReader(ctx, procedure))
      let until = signal
      if (market?.member && release !== null) ({ until, release } = endWithMembership(market, { signal, release }))
      const result = await resolve({
        ctx: market === null ? caller : { ...caller, app: market.app },
        input,
        signal: until,
      })
      const answer = toAnswer(ctx, procedure, result)
      endSpan(span, null)
      return release === null ? answer : releaseAtEnd(answer as AsyncIterable<unknown>, release)
    } catch (error) {
      release?.()
      throw endSpan(span, toLoggedTransportError({ ctx, path }, toCallError(error)))
    }
  }
}

/** Ends a subscription to a room or a room's token when the player leaves the room. */
function endWithMembership(
  market: FairMarket,
  { signal, release }: { readonly signal: AbortSignal | undefined; readonly release: () => void },
): { readonly until: AbortSignal; readonly release: () => void } {
  const left = new AbortController()
  const stopLooking = watchMember(market, (error) => left.abort(error))
  return {
    until: AbortSignal.any(signal === undefined ? [left.signal] : [signal, left.signal]),
    release: () => {
      stopLooking()
      release()
    },
  }
}

/**
 * Counts the call and returns its input. Throws if the API key may not make this call, or if the input has an unknown
 * property.
 */
async function admit(ctx: Context, procedure: Procedure, readInput: () => unknown): Promise<unknown> {
  await count(ctx, procedure)
  // Read the input only after counting the call, because reading it costs time.
  const given = readInput()
  assertPlainInput(given)
  const more = procedure.reads?.(given) ?? 0
  if (more > 0) await ctx.app.accounts.limits.spend(ctx, 'read', more)
  await assertApiKeyAllows(ctx, procedure)
  assertKnownProperties(procedure.input, given)
  return given
}

/** Parses synchronously. zod's compiled parsers are several times faster than those with promises. */
function parseInput({ input }: Procedure, given: unknown): never {
  if (input === null) return undefined as never
  // Older clients send no input to procedures that had none in earlier versions.
  const { data, error } = input.safeParse(given === undefined ? {} : given)
  if (error !== undefined) throw createBadInput(listFieldErrors(error))
  return data as never
}

function toAnswer(ctx: Context, { type, cached, output }: Procedure, result: unknown): unknown {
  if (type === 'subscription') return result
  if (cached !== true) return output.parse(result)
  setStaleHeaders(ctx, result)
  return result
}

/**
 * Starts a call's span; returns null if the call is not sampled. A subscription has no span, because it lasts as long
 * as its client listens.
 */
function startSpan({ app, span }: Context, path: string, type: Procedure['type']): Span | null {
  if (app.platform.tracing === null || span === null || type === 'subscription') return null
  return span === undefined ? app.platform.tracing.startCall({ path, type }) : span.startCall({ path, type })
}

/** Ends the span of a call with its error, and returns the error. */
function endSpan<E extends TRPCError | null>(span: Span | null, error: E): E {
  if (span === null) return error
  const code = error?.cause instanceof DomainError ? error.cause.code : (error?.code ?? null)
  span.end({ errorCode: code, isFault: error !== null && getHTTPStatusCodeFromError(error) >= FAULT })
  return error
}

/** Frees the subscription's slot. Null if the call has none. */
type Release = (() => void) | null

/** Counts calls, not HTTP requests, so a batch counts as much as its parts. */
async function count(ctx: Context, { type, limit }: Procedure): Promise<void> {
  await ctx.app.accounts.limits.spend(ctx, type === 'mutation' ? 'write' : 'read')
  if (limit) await ctx.app.accounts.limits.spend(ctx, limit)
}

/** Throws if the key's scopes or the status of its player's account do not allow this procedure. */
async function assertApiKeyAllows(ctx: Context, procedure: Procedure): Promise<void> {
  if (ctx.apiKey === null) return
  const { scopes, accountStatus } = await requireApiKey(ctx, ctx.apiKey)
  if (procedure.role !== undefined) throw new NoSuchAddressError()
  assertStatusAllows(accountStatus, procedure)
  if (isForGuests(procedure) || isAccepted(procedure, scopes)) return
  throw new ApiKeyNotAllowedError(getAcceptedScopes(procedure)[0] ?? null)
}

function isAccepted(procedure: Procedure, scopes: readonly ApiScope[]): boolean {
  return getAcceptedScopes(procedure).some((scope) => scopes.includes(scope))
}

/** Sets headers that mark a stale result. Stale results are returned while the database is unreachable. */
function setStaleHeaders({ app, header }: Context, answer: unknown): void {
  const age = typeof answer === 'object' && answer !== null ? app.market.queryCache.staleSeconds(answer) : null
  if (age === null) return
  header('Age', String(age))
  header('Warning', '110 - "Response is Stale"')
}

/** Converts domain errors to transport errors. Logs rejected attempts and an unreachable database. */
function toLoggedTransportError({ ctx, path }: Pick<Call, 'ctx' | 'path'>, error: TRPCError): TRPCError {
  const translated = toTransportError(error)
  if (translated.cause instanceof DomainError) {
    const { cause } = translated
    const limit = cause instanceof RateLimitedError ? cause.limit : undefined
    logAttempt(ctx.app, ctx, { code: cause.code, path, limit })
  }
  if (translated.cause instanceof DatabaseAwayError) {
    ctx.app.platform.log.warn({ err: error.cause, path }, 'a call found the database away')
  }
  return translated
}

async function toResolverContext(ctx: Context, procedure: Procedure): Promise<Context> {
  if (procedure.access === 'anyone') return ctx
  if (procedure.access === 'player') return await toPlayerContext(ctx, procedure, await findCaller(ctx))
  return { ...ctx, userId: await findReader(ctx, procedure) } as ContextOf['guestOrPlayer']
}

/** Finds the player for whom data is read. Returns null for a guest, and for a key that lacks the scopes. */
async function findReader(ctx: Context, procedure: Procedure): Promise<UserId | null> {
  const isGuest = ctx.apiKey !== null && !isAccepted(procedure, (await requireApiKey(ctx, ctx.apiKey)).scopes)
  return isGuest ? null : await findUserId(ctx)
}

/** Finds the player who makes the call. Returns null for a guest, and for a player with a frozen account. */
export async function findUserId(ctx: Context): Promise<UserId | null> {
  const caller = await findCaller(ctx)
  return caller === null || caller.accountStatus === 'frozen' ? null : caller.userId
}

async function toPlayerContext(
  ctx: Context,
  procedure: Procedure,
  caller: FoundCaller | null,
): Promise<ContextOf['player']> {
  if (caller === null) throw procedure.role === undefined ? new NotSignedInError() : new NoSuchAddressError()
  const { userId, accountStatus, isBot } = caller
  if (procedure.role !== undefined) await assertRole(ctx, procedure)
  assertStatusAllows(accountStatus, procedure)
  if (procedure.type === 'mutation') await ctx.app.accounts.limits.spendAccount(ctx, 'write', userId)
  if (procedure.limit) await ctx.app.accounts.limits.spendAccount(ctx, procedure.limit, userId)
  const spendingKeyId = caller.hasSpendingLimit === true ? caller.keyId : null
  const keyId = ctx.apiKey === null ? null : (caller as ApiKeyRecord).keyId
  return { ...ctx, userId, isBot, spendingKeyId, keyId, isSuspended: accountStatus !== 'active' }
}

/** Returns a tRPC error for anything that a call threw. */
export function toCallError(thrown: unknown): TRPCError {
  return thrown instanceof DomainError ? createTransportError(thrown) : getTRPCErrorFromUnknown(thrown)
}

function toTransportError(error: TRPCError): TRPCError {
  const failure = toDomainError(error)
  if (failure === null) return error
  const { trpc } = toTransport(failure.code)
  const isTranslated = error.cause === failure && error.code === trpc && error.message === failure.message
  return isTranslated ? error : createTransportError(failure)
}

/** Creates the transport error for a failure, without a stack. */
function createTransportError(failure: DomainError): TRPCError {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  const error = new TRPCError({ code: toTransport(failure.code).trpc, message: failure.message, cause: failure })
  Error.stackTraceLimit = stackTraceLimit
  return error
}

/** Returns the expected failure that caused an error; null for a bug or a fault. */
function toDomainError(error: TRPCError): DomainError | null {
  if (error.cause instanceof DomainError) return error.cause
  if (isConflict(error.cause)) return new BusyError('The server is busy. Please try again in a moment.')
  if (isDatabaseUnavailable(error.cause) || isLockTimeout(error.cause))
    return new DatabaseAwayError(isDatabaseFull(error.cause))
  return null
}

/** Returns a message for an error that tRPC raises before the procedure runs. Does not reveal the error's own text. */
function toPublicMessage(error: TRPCError): string {
  if (error.code === 'NOT_FOUND') return 'There is no such procedure.'
  if (error.code === 'METHOD_NOT_SUPPORTED')
    return 'This procedure needs another kind of call: a query, a mutation or a subscription.'
  if (error.code === 'BAD_REQUEST' || error.code === 'PARSE_ERROR') return 'Could not read the request.'
  return 'Something went wrong on our side.'
}

/** Throws if the request has an invalid API key. Event streams need this check, because they are not procedures. */
export async function assertGoodApiKey(ctx: Context, path: string): Promise<void> {
  if (ctx.apiKey === null) return
  try {
    const { accountStatus } = await requireApiKey(ctx, ctx.apiKey)
    assertStatusAllows(accountStatus, { type: 'query' })
  } catch (error) {
    throw toLoggedTransportError({ ctx, path }, toCallError(error))
  }
}

async function requireApiKey(ctx: Context, apiKey: string): Promise<ApiKeyRecord> {
  const grant = await ctx.app.accounts.apiKeys.find(apiKey)
  const isExpired = grant !== null && grant.expiresAt !== null && grant.expiresAt <= ctx.app.platform.clock.now()
  if (grant === null || isExpired) {
    ctx.header('WWW-Authenticate', 'Bearer realm="Papermoon", error="invalid_token"')
    throw isExpired ? new KeyExpiredError() : new InvalidApiKeyError()
  }
  if (grant.networks !== null && !isInNetworks(ctx.ip, grant.networks)) throw new KeyNetworkError()
  return grant
}

type FoundCaller = ApiKeyRecord | (Caller & { readonly hasSpendingLimit?: false })

async function findCaller(ctx: Context): Promise<FoundCaller | null> {
  return ctx.apiKey === null ? await ctx.app.accounts.sessions.find(ctx) : await requireApiKey(ctx, ctx.apiKey)
}

/** Converts the errors of a subscription, because it can fail after its call has returned. */
function releaseAtEnd(source: AsyncIterable<unknown>, release: () => void): AsyncIterable<unknown> {
  let isTaken = false
  async function* follow(): AsyncGenerator<unknown> {
    isTaken = true
    try {
      yield* source
    } catch (error) {
      throw toTransportError(getTRPCErrorFromUnknown(error))
    } finally {
      release()
    }
  }
  // Free the slot if tRPC never reads the subscription. tRPC rejects an id that is already in use only after the call.
  setImmediate(() => {
    if (!isTaken) release()
  })
  return follow()
}
