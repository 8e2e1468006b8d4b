import type { Contract, Feature } from '@papermoon/contract'
import type { AppInputs, AppOutputs } from '@papermoon/contract/router'
import type { App, Context } from '../../context.ts'
import { callProcedure } from '../../trpc.ts'
import { NO_COOKIES, refuseSubscription } from './call-context.ts'
// This import adds the implementations to the contract's procedures.
import '../../router.ts'

/** An anonymous caller, whose calls are counted by IP address. */
export interface Guest {
  readonly app: App
  readonly ip: string
  /** Receives the rate limit headers of the call. */
  header(name: string, value: string): void
}

/**
 * Calls a public query without credentials, for pages and pictures that look the same to everyone. Throws `TRPCError`.
 */
export async function callAsGuest<F extends Feature, Name extends keyof Contract[F] & string>(
  { app, ip, header }: Guest,
  path: `${F}.${Name}`,
  input: AppInputs[F][Name],
): Promise<AppOutputs[F][Name]> {
  const ctx: Context = {
    cookies: NO_COOKIES,
    app,
    ip,
    header,
    userAgent: null,
    isSecureContext: () => false,
    proofOfWork: null,
    apiKey: null,
    span: null,
    relyingParty: () => null,
    acquireSubscriptionSlot: refuseSubscription,
  }
  // Cast the output, because the contract defines the output of each path.
  return (await callProcedure({ ctx, path, type: 'query', readInput: () => input })) as AppOutputs[F][Name]
}
