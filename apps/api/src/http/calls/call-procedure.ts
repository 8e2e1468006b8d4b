import { TRPCError } from '@trpc/server'
import type { Context } from '../../context.ts'
import { appRouter } from '../../router.ts'
import { toCallError } from '../../trpc.ts'

/** A call of a procedure by its full name. */
export interface ProcedureCall {
  readonly ctx: Context
  readonly path: string
  readonly type: 'query' | 'mutation'
  /** Returns the unchecked input. Called after the call has been counted against the limits. */
  readInput(): unknown
  /** Position in a batch. */
  readonly index: number
}

/** Options that tRPC passes to a middleware. */
interface CallOptions {
  readonly ctx: Context
  readonly path: string
  readonly type: 'query' | 'mutation'
  readonly input: unknown
  readonly getRawInput: () => Promise<unknown>
  readonly signal: undefined
  readonly batchIndex: number
}

/** Options that a middleware may replace for the next ones. */
type Changes = Partial<Pick<CallOptions, 'ctx' | 'input' | 'getRawInput'>>

type Result = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: TRPCError }

type Middleware = (
  options: CallOptions & { readonly meta: unknown; next(changes?: Changes): Promise<Result> },
) => Promise<Result>

interface Procedure {
  readonly type: 'query' | 'mutation' | 'subscription'
  readonly meta?: unknown
  /** Access, input, output; the last one calls the resolver and no `next`. */
  readonly middlewares: readonly Middleware[]
}

/** At run time the router keeps its procedures flat, by full name. */
const procedures = new Map(
  Object.entries(appRouter._def.procedures as unknown as Record<string, { readonly _def: Procedure }>).map(
    ([path, { _def }]) => [path, _def],
  ),
)

/**
 * Calls a procedure through its middlewares, like tRPC's own caller. That one copies its options at each middleware with
 * a polyfill of object spread, which took a fifth of the time of a cached query. Throws `TRPCError`.
 */
export async function callProcedure({ ctx, path, type, readInput, index }: ProcedureCall): Promise<unknown> {
  const procedure = procedures.get(path)
  if (procedure?.type !== type) throw new TRPCError({ code: 'NOT_FOUND', message: `There is no ${type} ${path}.` })
  const getRawInput = async () => readInput()
  const options = { ctx, path, type, input: undefined, getRawInput, signal: undefined, batchIndex: index }
  const result = await runMiddleware(procedure, 0, options)
  if (!result.ok) throw result.error
  return result.data
}

/** Runs one middleware, whose `next` runs the one after it. Never rejects. */
async function runMiddleware(procedure: Procedure, place: number, options: CallOptions): Promise<Result> {
  const next = (changes?: Changes) => {
    const ctx = changes?.ctx === undefined ? options.ctx : { ...options.ctx, ...changes.ctx }
    return runMiddleware(procedure, place + 1, { ...options, ...changes, ctx })
  }
  try {
    const middleware = procedure.middlewares[place]
    if (middleware === undefined) throw new Error(`${options.path} has no middleware ${place}`)
    return await middleware({ ...options, meta: procedure.meta, next })
  } catch (cause) {
    return { ok: false, error: toCallError(cause) }
  }
}
