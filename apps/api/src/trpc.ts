import { procedures } from '@papermoon/contract'
import { BOUNDS } from '@papermoon/contract/bounds'
import type { ErrorCode } from '@papermoon/contract/errors'
import { getNamed } from '@papermoon/contract/fair-tokens'
import type { InputOf, Procedure } from '@papermoon/contract/procedure'
import type { TrpcProcedure } from '@papermoon/contract/router'
import { isConflict, isDatabaseFull, isDatabaseUnavailable, isLockTimeout } from '@papermoon/db'
import { BusyError, DomainError } from '@papermoon/engine'
import { getTRPCErrorFromUnknown, initTRPC, TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import type { FastifyRequest } from 'fastify'
import superjson from 'superjson'
import type { z } from 'zod'
import { isFrozen } from './cache/cache-entry.ts'
import {
  assertApiKeyAllows,
  assertStatusAllows,
  type ContextOf,
  count,
  findReader,
  requireApiKey,
  toResolverContext,
} from './caller.ts'
import type { Context } from './context.ts'
import {
  BadInputError,
  DatabaseAwayError,
  getChallenge,
  getFieldErrors,
  RateLimitedError,
  toTransport,
} from './errors.ts'
import { LiveSubscription } from './events/stream/live-subscription.ts'
import { chooseMarket, type FairMarket, watchMember } from './features/fairs/access.ts'
import type { Span } from './tracing/tracing.ts'
import { assertKnownProperties } from './validation/known-properties.ts'
import { createBadInput, listFieldErrors } from './validation/messages.ts'
import { assertPlainInput, openEnvelope } from './validation/plain-input.ts'

/** The lowest HTTP status of errors whose cause is the server. */
const FAULT = 500

const same = (value: unknown) => value
/** Inputs are plain JSON. Outputs use the format of superjson. */
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

/** A live subscription is not serialized, because its socket sends the events itself. */
function serialize(value: unknown): unknown {
  if (value instanceof LiveSubscription) return value
  return isPlain(value) ? { json: value } : superjson.serialize(value)
}

/**
 * Returns whether superjson would leave a value unchanged. superjson changes neither frozen values nor a frozen event
 * with its id.
 */
function isPlain(value: unknown): boolean {
  const { id, data } = Object(value) as { id?: unknown; data?: unknown }
  return isFrozen(value) || (typeof id === 'string' && isFrozen(data))
}

export const router = t.router
/** tRPC's configuration, for responses in tRPC's format. */
export const trpcConfig = t._config

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

/** The result of a resolver. The result may contain frozen lists. */
type ResultOf<P extends Procedure> = Readonly<z.input<P['output']>>

/** A call of a procedure over any transport. */
export interface Call {
  readonly ctx: Context
  /** The full name of the procedure. */
  readonly path: string
  /**
   * Returns the call's input without checking it. `run` calls this function after counting the call against the limits.
   */
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
  // Cast the builder, because the contract already defines the types that the builder would infer.
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

/**
 * Calls a procedure without tRPC's middlewares. Copying the middlewares' options took a fifth of a cached query's time.
 */
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
 * Counts the call and returns its input. Throws an error if the API key may not make this call, or if the input has an
 * unknown property.
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

/** Parse synchronously, because zod's compiled parsers are several times faster than those with promises. */
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

/** Releases the connection's slot for the subscription. Null if the call has no such slot. */
type Release = (() => void) | null

/** Sets headers that mark a stale result. Results can be stale while the database is unreachable. */
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
    ctx.app.accounts.securityLog.attempt({ ip: ctx.ip, code: cause.code, path, limit })
  }
  if (translated.cause instanceof DatabaseAwayError) {
    ctx.app.platform.log.warn({ err: error.cause, path }, 'a call found the database away')
  }
  return translated
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

/**
 * Returns a message for an error that tRPC raises before the procedure runs. The message does not contain the error's
 * own text.
 */
function toPublicMessage(error: TRPCError): string {
  if (error.code === 'NOT_FOUND') return 'There is no such procedure.'
  if (error.code === 'METHOD_NOT_SUPPORTED')
    return 'This procedure needs another kind of call: a query, a mutation or a subscription.'
  if (error.code === 'BAD_REQUEST' || error.code === 'PARSE_ERROR') return 'Could not read the request.'
  return 'Something went wrong on our side.'
}

/**
 * Throws an error if the request has an invalid API key. Event streams need this check, because they are not
 * procedures.
 */
export async function assertGoodApiKey(ctx: Context, path: string): Promise<void> {
  if (ctx.apiKey === null) return
  try {
    const { accountStatus } = await requireApiKey(ctx, ctx.apiKey)
    assertStatusAllows(accountStatus, { type: 'query' })
  } catch (error) {
    throw toLoggedTransportError({ ctx, path }, toCallError(error))
  }
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
  // Release the slot if tRPC never reads the subscription. tRPC rejects an id that is already in use only after the
  // call.
  setImmediate(() => {
    if (!isTaken) release()
  })
  return follow()
}

/** A call of a procedure by its full name. */
interface NamedCall extends Call {
  readonly type: 'query' | 'mutation'
}

/** Calls a procedure that may not exist. Throws `TRPCError`. */
export async function callProcedure(call: NamedCall): Promise<unknown> {
  const { path, type } = call
  const procedure = procedures.get(path)
  if (procedure?.type !== type) throw new TRPCError({ code: 'NOT_FOUND', message: `There is no ${type} ${path}.` })
  return await run(procedure, call)
}

export const BATCH_MAX = BOUNDS.callsPerBatch

/** Throws `BadInputError` for a batch that is too large or that contains a procedure marked `alone`. */
export function assertBatch(paths: readonly string[]): void {
  if (paths.length > BATCH_MAX) throw new BadInputError(`A batch can have at most ${BATCH_MAX} calls.`)
  if (paths.length > 1 && paths.some((path) => procedures.get(path)?.alone)) {
    throw new BadInputError('This call must be sent alone, not in a batch.')
  }
}

/** Logs server faults, but not rejections. */
export function logIfUnexpected({ id, log }: FastifyRequest, error: TRPCError, path: string | undefined): void {
  if (error.code === 'INTERNAL_SERVER_ERROR') log.error({ err: error.cause ?? error, reqId: id, path }, 'a call failed')
}
