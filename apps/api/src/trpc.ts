import { isDatabaseFull, isDatabaseUnavailable } from '@papermoon/db'
import { DomainError, NotSignedInError } from '@papermoon/engine'
import { getTRPCErrorFromUnknown, initTRPC, TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import superjson from 'superjson'
import { ZodError, type ZodType } from 'zod'
import { API_SCOPES, type ApiKeyRecord, type ApiScope, type Caller, type Context } from './context.ts'
import {
  ApiKeyNotAllowedError,
  DatabaseAwayError,
  type DomainErrorCode,
  getChallenge,
  getFieldErrors,
  InvalidApiKeyError,
  KeyExpiredError,
  KeyNetworkError,
  RateLimitedError,
  toTransport,
} from './errors.ts'
import { noteReceipts } from './events/seen.ts'
import { LiveSubscription } from './events/stream/live-subscription.ts'
import { declareOrders } from './players/declare-orders.ts'
import { limitSpending } from './players/limit-spending.ts'
import { assertStatusAllows, restrictToSales, type WhenSuspended } from './security/accounts/account-status.ts'
import { logAttempt } from './security/attempts.ts'
import { isInNetworks } from './security/networks/networks.ts'
import type { LimitName } from './security/rate-limits.ts'
import { traceOrders } from './tracing/trace-orders.ts'
import type { Span } from './tracing/tracing.ts'
import { createBadInput, listFieldErrors } from './validation/messages.ts'
import { decodeInput, toEncodedInput } from './validation/plain-input.ts'

/** From this HTTP status on, an error is the server's. */
const FAULT = 500

type CallType = 'query' | 'mutation' | 'subscription'

/** Declares how the transports treat a procedure. */
export interface ProcedureMeta {
  /** A rate limit in addition to that of its type (read or write). */
  readonly limit?: LimitName
  /** How many additional reads a call with this input counts as; the input is not validated yet. */
  readonly reads?: (input: unknown) => number
  /** Must not share a batch with other calls. */
  readonly alone?: true
  /** Access of API keys; by default `market` for public queries, `read` for others and `never` for mutations. */
  readonly apiKey?: KeyAccess
  /** Answers all callers alike. */
  readonly isPublic?: true
  /** Whether a suspended player may call it; by default only queries. */
  readonly whenSuspended?: WhenSuspended
  /** The output schema, if `QueryCache` has validated the output already. */
  readonly answer?: ZodType
}

/** Access of API keys to a procedure: with a scope, with any valid key (`any`), or not at all (`never`). */
export type KeyAccess = ApiScope | 'any' | 'never'

/** Returns the access of API keys to a procedure. */
export function getKeyAccess(type: CallType, meta: ProcedureMeta = {}): KeyAccess {
  if (meta.apiKey !== undefined) return meta.apiKey
  if (type === 'mutation') return 'never'
  return meta.isPublic ? 'market' : 'read'
}

/** An API key needs one of these scopes; empty if no key may call it. */
export function getAcceptedScopes(type: CallType, meta?: ProcedureMeta): readonly ApiScope[] {
  return acceptedScopes[getKeyAccess(type, meta)]
}

/** `read` includes `market`. */
const acceptedScopes: Readonly<Record<KeyAccess, readonly ApiScope[]>> = {
  market: ['market', 'read'],
  read: ['read'],
  trade: ['trade'],
  reset: ['reset'],
  any: API_SCOPES,
  never: [],
}

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    transformer: { serialize, deserialize: toEncodedInput },
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
          reason: (failure?.code ?? null) as DomainErrorCode | null,
          retryAfterS: failure?.retryAfterS ?? null,
          requestKey: failure?.requestKey ?? null,
          details: failure?.details ?? null,
          challenge: (failure && getChallenge(failure)) ?? null,
          errors: failure === null ? [] : getFieldErrors(failure),
        },
      }
    },
  })

/** A live subscription is taken by its socket, which sends the events. */
function serialize(value: unknown): unknown {
  return value instanceof LiveSubscription ? value : superjson.serialize(value)
}

export const router = t.router

/** Checks every call. One middleware: each additional one costs more than its body. */
const checkCall = t.middleware(async ({ ctx, meta, path, type, next, getRawInput }) => {
  const span = startSpan(ctx, path, type)
  let input: unknown
  let release: Release
  try {
    await count({ ctx, type, meta })
    // Only after counting the call, since decoding an input costs time too.
    input = decodeInput(await getRawInput())
    const more = meta?.reads?.(input) ?? 0
    if (more > 0) await ctx.app.limits.spend(ctx, 'read', more)
    await assertApiKeyAllows({ ctx, type, meta })
    ctx.app.assertKnownInput(path, input)
    release = type === 'subscription' ? ctx.acquireSubscriptionSlot() : null
  } catch (error) {
    throw endSpan(span, toLoggedTransportError({ ctx, path }, toCallError(error)))
  }
  // Middlewares copy the context only if something replaces a part of it.
  const changes = span === null ? {} : { ctx: { span } }
  const result = await next({ getRawInput: async () => input, ...changes })
  if (!result.ok) {
    release?.()
    throw endSpan(span, toLoggedTransportError({ ctx, path }, result.error))
  }
  endSpan(span, null)
  if (meta?.answer !== undefined) setStaleHeaders(ctx, result.data)
  if (release === null) return result
  if (isAsyncIterable(result.data)) return { ...result, data: releaseAtEnd(result.data, release) }
  release()
  return result
})

/** The span of a call; null if it is not sampled. A subscription lasts as long as its client listens. */
function startSpan({ app, span }: Context, path: string, type: CallType): Span | null {
  if (app.tracing === null || span === null || type === 'subscription') return null
  return span === undefined ? app.tracing.startCall({ path, type }) : span.startCall({ path, type })
}

/** Returns the error. */
function endSpan<E extends TRPCError | null>(span: Span | null, error: E): E {
  if (span === null) return error
  const code = error?.cause instanceof DomainError ? error.cause.code : (error?.code ?? null)
  span.end({ errorCode: code, isFault: error !== null && getHTTPStatusCodeFromError(error) >= FAULT })
  return error
}

interface Arrival {
  readonly ctx: Context
  readonly type: CallType
  readonly meta: ProcedureMeta | undefined
}

/** Releases the subscription slot; null if the call took none. */
type Release = (() => void) | null

/** Counts calls, not HTTP requests: a batch costs as much as its parts. */
async function count({ ctx, type, meta }: Arrival): Promise<void> {
  await ctx.app.limits.spend(ctx, type === 'mutation' ? 'write' : 'read')
  if (meta?.limit) await ctx.app.limits.spend(ctx, meta.limit)
}

/** Throws if the key's scopes or its player's account status do not allow this procedure. */
async function assertApiKeyAllows({ ctx, type, meta }: Arrival): Promise<void> {
  if (ctx.apiKey === null) return
  const { scopes, accountStatus } = await requireApiKey(ctx, ctx.apiKey)
  assertStatusAllows(accountStatus, { type, whenSuspended: meta?.whenSuspended })
  const accepted = getAcceptedScopes(type, meta)
  if (!accepted.some((scope) => scopes.includes(scope))) throw new ApiKeyNotAllowedError(accepted[0] ?? null)
}

/** Marks a stale result, served while the database is unreachable. */
function setStaleHeaders({ app, header }: Context, answer: unknown): void {
  const age = typeof answer === 'object' && answer !== null ? app.queryCache.staleSeconds(answer) : null
  if (age === null) return
  header('Age', String(age))
  header('Warning', '110 - "Response is Stale"')
}

interface Call {
  readonly ctx: Context
  readonly path: string
}

/** Maps domain errors to transport errors, and logs refused attempts and an unreachable database. */
function toLoggedTransportError({ ctx, path }: Call, error: TRPCError): TRPCError {
  const translated = toTransportError(error)
  if (translated.cause instanceof DomainError) {
    const { cause } = translated
    const limit = cause instanceof RateLimitedError ? cause.limit : undefined
    logAttempt(ctx.app, ctx, { code: cause.code, path, limit })
  }
  if (translated.cause instanceof DatabaseAwayError) {
    ctx.app.log.warn({ err: error.cause, path }, 'a call found the database away')
  }
  return translated
}

/** A player with a frozen account counts as a guest. */
const withUser = t.middleware(async ({ ctx, next }) => {
  const caller = await findCaller(ctx)
  return next({ ctx: { userId: caller === null || caller.accountStatus === 'frozen' ? null : caller.userId } })
})

const withPlayer = t.middleware(async ({ ctx, meta, type, next }) => {
  const caller = await findCaller(ctx)
  if (caller === null) throw new NotSignedInError()
  const { userId, accountStatus, isBot } = caller
  assertStatusAllows(accountStatus, { type, whenSuspended: meta?.whenSuspended })
  if (type === 'mutation') await ctx.app.limits.spendAccount(ctx, 'write', userId)
  if (meta?.limit) await ctx.app.limits.spendAccount(ctx, meta.limit, userId)
  const { app, noteSeen, span } = ctx
  const isLimited = caller.hasSpendingLimit === true
  const isPlain = accountStatus === 'active' && !isBot && !isLimited
  if (isPlain && noteSeen === undefined && span == null) return next({ ctx: { userId } })
  const traced = span == null ? app.engine : traceOrders(app.engine, span)
  const noting = noteSeen === undefined ? traced : noteReceipts(traced, app.feed, noteSeen)
  const counting = isLimited ? limitSpending(noting, caller.keyId) : noting
  const engine = isBot ? declareOrders(counting) : counting
  if (accountStatus === 'active') return next({ ctx: { userId, app: { ...ctx.app, engine } } })
  // No allowed mutation can place a new order either.
  return next({ ctx: { userId, app: { ...ctx.app, engine: restrictToSales(engine) } } })
})

const checked = t.procedure.use(checkCall)
/** A procedure for everybody, which does not know its caller. */
export const anyone = checked.meta({ isPublic: true })
/** A procedure for everybody; `ctx.userId` is the signed-in player or null. */
export const guestOrPlayer = checked.use(withUser)
/** A procedure for signed-in players; `ctx.userId` is the player. */
export const signedIn = checked.use(withPlayer)

/** tRPC's error for anything thrown by a call. */
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

/** Like the failure, without a stack. */
function createTransportError(failure: DomainError): TRPCError {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  const error = new TRPCError({ code: toTransport(failure.code).trpc, message: failure.message, cause: failure })
  Error.stackTraceLimit = stackTraceLimit
  return error
}

/** The expected failure behind an error; null for a bug or a fault. */
function toDomainError(error: TRPCError): DomainError | null {
  if (error.cause instanceof DomainError) return error.cause
  if (error.code === 'BAD_REQUEST' && error.cause instanceof ZodError)
    return createBadInput(listFieldErrors(error.cause))
  if (isDatabaseUnavailable(error.cause)) return new DatabaseAwayError(isDatabaseFull(error.cause))
  return null
}

/** A message for errors that tRPC raises before the procedure runs; the error's own text is not exposed. */
function toPublicMessage(error: TRPCError): string {
  if (error.code === 'NOT_FOUND') return 'There is no such procedure.'
  if (error.code === 'METHOD_NOT_SUPPORTED') return 'This procedure is called in another way.'
  if (error.code === 'BAD_REQUEST' || error.code === 'PARSE_ERROR') return 'The request cannot be read.'
  return 'Something went wrong on our side.'
}

/** Throws the error of a call if the request has an API key that is no good; for streams, which are no procedures. */
export async function assertGoodApiKey(ctx: Context, path: string): Promise<void> {
  if (ctx.apiKey === null) return
  try {
    const { accountStatus } = await requireApiKey(ctx, ctx.apiKey)
    assertStatusAllows(accountStatus, { type: 'query', whenSuspended: undefined })
  } catch (error) {
    throw toLoggedTransportError({ ctx, path }, toCallError(error))
  }
}

async function requireApiKey(ctx: Context, apiKey: string): Promise<ApiKeyRecord> {
  const grant = await ctx.app.apiKeys.find(apiKey)
  const isExpired = grant !== null && grant.expiresAt !== null && grant.expiresAt <= ctx.app.clock.now()
  if (grant === null || isExpired) {
    ctx.header('WWW-Authenticate', 'Bearer realm="Papermoon", error="invalid_token"')
    throw isExpired ? new KeyExpiredError() : new InvalidApiKeyError()
  }
  if (grant.networks !== null && !isInNetworks(ctx.ip, grant.networks)) throw new KeyNetworkError()
  return grant
}

async function findCaller(
  ctx: Context,
): Promise<ApiKeyRecord | (Caller & { readonly hasSpendingLimit?: false }) | null> {
  return ctx.apiKey === null ? await ctx.app.sessions.find(ctx) : await requireApiKey(ctx, ctx.apiKey)
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** A subscription fails after its middleware has returned, so its errors are mapped here. */
async function* releaseAtEnd(source: AsyncIterable<unknown>, release: () => void): AsyncGenerator<unknown> {
  try {
    yield* source
  } catch (error) {
    throw toTransportError(getTRPCErrorFromUnknown(error))
  } finally {
    release()
  }
}
