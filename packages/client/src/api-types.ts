import type { AppRouter } from '@papermoon/api/router'
import type { TRPCClient, TRPCClientError } from '@trpc/client'

/**
 * What the client knows of the API, as types. In the packed client `build/write-api-types.ts` replaces this file by plain
 * declarations, since the API's source and its libraries are not there.
 */
export type { AppInputs, AppOutputs } from '@papermoon/api/router'

/** Every procedure, typed. */
export type PapermoonApi = TRPCClient<AppRouter>

/** What the server says about a failed call. */
export type ErrorData = NonNullable<TRPCClientError<AppRouter>['data']>
