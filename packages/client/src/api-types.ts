import type { AppRouter } from '@papermoon/contract/router'
import type { TRPCClient } from '@trpc/client'

/**
 * The API's types. In the packed client, `build/write-api-types.ts` replaces this file with plain declarations, since the
 * contract's source and its libraries are not there.
 */
export type { AppInputs, AppOutputs, ErrorData, StreamMessages } from '@papermoon/contract/router'

/** Every procedure, typed. */
export type PapermoonApi = TRPCClient<AppRouter>
