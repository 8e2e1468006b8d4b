import type {
  inferRouterInputs,
  inferRouterOutputs,
  TRPC_ERROR_CODE_NUMBER,
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from '@trpc/server'
import type { ZodObject, z } from 'zod'
import type { ErrorData } from './error-data.ts'
import type { Contract, Feature } from './index.ts'
import type { streamMessages } from './live.ts'
import type { Access, Procedure } from './procedure.ts'

/** A procedure's type in tRPC clients. */
interface Definition<Input extends ZodObject | null, Output> {
  readonly meta: unknown
  // The type `void` means "no input" in tRPC.
  // biome-ignore lint/suspicious/noConfusingVoidType: see above
  readonly input: Input extends ZodObject ? z.input<Input> : void
  readonly output: Output
}

/** A subscription's event, with the id after which to resume. */
interface TrackedEvent<Event> {
  readonly id: string
  readonly data: Event
}

/** Converts a procedure to its type in tRPC clients. */
export type TrpcProcedure<P> =
  P extends Procedure<infer Type, Access, infer Input, infer Output>
    ? {
        readonly query: TRPCQueryProcedure<Definition<Input, z.output<Output>>>
        readonly mutation: TRPCMutationProcedure<Definition<Input, z.output<Output>>>
        readonly subscription: TRPCSubscriptionProcedure<
          Definition<Input, AsyncIterable<TrackedEvent<z.output<Output>>, void>>
        >
      }[Type]
    : never

/** A feature's procedures, as in its tRPC router. */
export type FeatureRouter<F extends Feature> = { [Name in keyof Contract[F]]: TrpcProcedure<Contract[F][Name]> }

interface RootTypes {
  readonly ctx: object
  readonly meta: object
  readonly errorShape: { readonly message: string; readonly code: TRPC_ERROR_CODE_NUMBER; readonly data: ErrorData }
  readonly transformer: true
}

export type { ErrorData }
/** The API's router as tRPC clients see it. */
export type AppRouter = TRPCBuiltRouter<RootTypes, { [F in Feature]: FeatureRouter<F> }>
export type AppInputs = inferRouterInputs<AppRouter>
export type AppOutputs = inferRouterOutputs<AppRouter>
export type StreamMessages = { [Type in keyof typeof streamMessages]: z.output<(typeof streamMessages)[Type]> }
