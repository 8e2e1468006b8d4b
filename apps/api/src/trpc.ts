import { initTRPC, TRPCError } from '@trpc/server'
import superjson from 'superjson'
import { ZodError } from 'zod'
import type { Context } from './context.ts'
import { BadInputError, DomainError, NotSignedInError, transportOf } from './errors.ts'
import type { LimitName } from './rate-limits.ts'
import { sentenceOf } from './sentence-of.ts'

/** What a procedure says about itself to the doors. */
export interface ProcedureMeta {
  /** The limit its calls count against, beside the one of its kind (read or write). */
  readonly limit?: LimitName
  /** May not share a batch with other calls. */
  readonly alone?: true
}

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    transformer: superjson,
    isDev: false,
    errorFormatter: ({ shape, error }) => {
      const failure = error.cause instanceof DomainError ? error.cause : null
      return {
        ...shape,
        message: failure?.message ?? plainMessage(error),
        data: {
          code: shape.data.code,
          httpStatus: shape.data.httpStatus,
          path: shape.data.path,
          reason: failure?.code ?? null,
          retryAfterS: failure?.retryAfterS ?? null,
          requestKey: failure?.requestKey ?? null,
        },
      }
    },
  })

export const router = t.router
export const createCallerFactory = t.createCallerFactory

/** Expected failures leave as themselves, whatever door they leave by. */
const translateErrors = t.middleware(async ({ next }) => {
  const result = await next()
  if (result.ok) return result
  throw asTransportError(result.error)
})

/** Counts the call, not the HTTP request, so a batch is as dear as its parts. */
const limited = t.middleware(async ({ ctx, meta, type, next }) => {
  if (type !== 'subscription') await ctx.app.limits.spend(ctx, type === 'query' ? 'read' : 'write')
  if (meta?.limit) await ctx.app.limits.spend(ctx, meta.limit)
  return next()
})

const withUser = t.middleware(async ({ ctx, next }) => {
  const userId = ctx.sessionToken === null ? null : await ctx.app.sessions.userOf(ctx.sessionToken)
  return next({ ctx: { userId } })
})

const withPlayer = t.middleware(async ({ ctx, next }) => {
  const userId = ctx.sessionToken === null ? null : await ctx.app.sessions.userOf(ctx.sessionToken)
  if (userId === null) throw new NotSignedInError()
  return next({ ctx: { userId } })
})

/** Open to everybody. */
export const anyone = t.procedure.use(translateErrors).use(limited)
/** Open to everybody; `ctx.userId` is the signed-in player or null. */
export const guestOrPlayer = anyone.use(withUser)
/** Signed-in players only; `ctx.userId` is the player. */
export const signedIn = anyone.use(withPlayer)

function asTransportError(error: TRPCError): TRPCError {
  const failure = failureOf(error)
  if (failure === null) return error
  return new TRPCError({ code: transportOf[failure.code].trpc, message: failure.message, cause: failure })
}

/** The expected failure behind an error, or null when it is a bug or a fault. */
function failureOf(error: TRPCError): DomainError | null {
  if (error.cause instanceof DomainError) return error.cause
  if (error.code === 'BAD_REQUEST' && error.cause instanceof ZodError) return new BadInputError(sentenceOf(error.cause))
  return null
}

/** Nothing of an unexpected error's own text reaches a client. */
function plainMessage(error: TRPCError): string {
  return error.code === 'INTERNAL_SERVER_ERROR' ? 'Something went wrong on our side.' : error.message
}
