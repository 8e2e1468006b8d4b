import type { AppRouter } from '@papermoon/contract/router'
import type { TRPCClient } from '@trpc/client'

/** The API's types. In the packed client, `build/write-api-types.ts` replaces this file with plain declarations. */
export type { AppInputs, AppOutputs, ErrorData, StreamMessages } from '@papermoon/contract/router'

/** Every procedure with its types. */
export type PapermoonApi = TRPCClient<AppRouter>
