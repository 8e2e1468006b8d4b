import { getTRPCErrorFromUnknown, TRPCError } from '@trpc/server'
import type { Context } from '../../context.ts'
import { appRouter } from '../../router.ts'

/** A call of a procedure by its full name. */
export interface ProcedureCall {
  readonly ctx: Context
  readonly path: string
  readonly type: 'query' | 'mutation'
  /** Reads the input, which is not checked yet; nobody does before the call has been counted. */
  readInput(): unknown
  /** The place in a batch. */
  readonly index: number
}

interface StepOptions {
  readonly ctx: Context
  readonly path: string
  readonly type: 'query' | 'mutation'
  readonly input: unknown
  readonly getRawInput: () => Promise<unknown>
  readonly signal: undefined
  readonly batchIndex: number
}

/** What a step may change for those after it. */
type Changes = Partial<Pick<StepOptions, 'ctx' | 'input' | 'getRawInput'>>

type StepResult = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: TRPCError }

interface Definition {
  readonly type: 'query' | 'mutation' | 'subscription'
  readonly meta?: unknown
  readonly middlewares: readonly ((
    options: StepOptions & { readonly meta: unknown; next(changes?: Changes): Promise<StepResult> },
  ) => Promise<StepResult>)[]
}

/** At run time the router keeps its procedures flat, by full name. */
const definitions = new Map(
  Object.entries(appRouter._def.procedures as unknown as Record<string, { readonly _def: Definition }>).map(
    ([path, { _def }]) => [path, _def],
  ),
)

/**
 * Calls a procedure through all its steps (access, input, output, the call), as tRPC's caller does, whose build copies
 * its options at each step by a polyfill: that was a fifth of what a shared read cost. Throws `TRPCError`.
 */
export async function callProcedure({ ctx, path, type, readInput, index }: ProcedureCall): Promise<unknown> {
  const definition = definitions.get(path)
  if (definition?.type !== type) throw new TRPCError({ code: 'NOT_FOUND', message: `There is no ${type} ${path}.` })
  const getRawInput = async () => readInput()
  const options = { ctx, path, type, input: undefined, getRawInput, signal: undefined, batchIndex: index }
  const result = await runStep(definition, 0, options)
  if (!result.ok) throw result.error
  return result.data
}

async function runStep(definition: Definition, step: number, options: StepOptions): Promise<StepResult> {
  const { meta, middlewares } = definition
  const next = (changes?: Changes) => {
    const ctx = changes?.ctx === undefined ? options.ctx : { ...options.ctx, ...changes.ctx }
    return runStep(definition, step + 1, { ...options, ...changes, ctx })
  }
  try {
    const middleware = middlewares[step]
    if (middleware === undefined) throw new Error(`${options.path} has no step ${step}`)
    return await middleware({ ...options, meta, next })
  } catch (cause) {
    return { ok: false, error: getTRPCErrorFromUnknown(cause) }
  }
}
