import { ZodObject, type ZodType } from 'zod'
import { type AppInputs, appRouter } from '../../router.ts'
import type { ProcedureMeta } from '../../trpc.ts'

/** The full name of every procedure: `trading.buy`. */
export type ProcedurePath = {
  [Feature in keyof AppInputs & string]: `${Feature}.${keyof AppInputs[Feature] & string}`
}[keyof AppInputs & string]

/** Facts about a procedure that the transports need. */
export interface ProcedureFacts {
  readonly type: 'query' | 'mutation' | 'subscription'
  readonly meta: ProcedureMeta
  /** The input's schema; null for a procedure without input. */
  readonly input: ZodObject | null
  readonly output: ZodType | null
}

interface Definition {
  readonly type: ProcedureFacts['type']
  readonly meta?: ProcedureMeta
  readonly inputs: readonly unknown[]
  readonly output?: ZodType
}

/** Every procedure by its full name. */
export const procedures: ReadonlyMap<string, ProcedureFacts> = new Map(
  // At run time the router keeps its procedures flat, by full name.
  Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: Definition }>).map(
    ([path, { _def }]) => [
      path,
      {
        type: _def.type,
        meta: _def.meta ?? {},
        input: getInputSchema(path, _def),
        output: _def.output ?? _def.meta?.answer ?? null,
      },
    ],
  ),
)

/** Throws unless the input is a single `z.object`, whose names decide which properties are unknown. */
function getInputSchema(path: string, { inputs }: Definition): ZodObject | null {
  if (inputs.length === 0) return null
  const [input] = inputs
  if (inputs.length === 1 && input instanceof ZodObject) return input
  throw new Error(`the input of ${path} must be one z.object`)
}
