import type { App, Context } from '../../context.ts'
import type { AppInputs, AppOutputs } from '../../router.ts'
import { NO_COOKIES, refuseSubscription } from './call-context.ts'
import { callProcedure } from './call-procedure.ts'

type Outputs = {
  'tokens.get': AppOutputs['tokens']['get']
  'tokens.chart': AppOutputs['tokens']['chart']
  'past.moment': AppOutputs['past']['moment']
  'past.chart': AppOutputs['past']['chart']
  'users.closedWin': AppOutputs['users']['closedWin']
  'users.profile': AppOutputs['users']['profile']
  'leaderboard.get': AppOutputs['leaderboard']['get']
}

type Inputs = {
  'tokens.get': AppInputs['tokens']['get']
  'tokens.chart': AppInputs['tokens']['chart']
  'past.moment': AppInputs['past']['moment']
  'past.chart': AppInputs['past']['chart']
  'users.closedWin': AppInputs['users']['closedWin']
  'users.profile': AppInputs['users']['profile']
  'leaderboard.get': undefined
}

/** An anonymous caller; counted by address like everybody. */
export interface Guest {
  readonly app: App
  readonly ip: string
  /** Receives the rate limit headers. */
  header(name: string, value: string): void
}

/** Calls a public query without any credentials, for pages and pictures that look the same to everybody. Throws `TRPCError`. */
export async function callAsGuest<Path extends keyof Outputs>(
  { app, ip, header }: Guest,
  path: Path,
  input: Inputs[Path],
): Promise<Outputs[Path]> {
  const ctx: Context = {
    ...NO_COOKIES,
    app,
    ip,
    header,
    userAgent: null,
    isSecureContext: false,
    proofOfWork: null,
    apiKey: null,
    span: null,
    relyingParty: () => null,
    acquireSubscriptionSlot: refuseSubscription,
  }
  // The types above pair each path with its output.
  return (await callProcedure({ ctx, path, type: 'query', readInput: () => input, index: 0 })) as Outputs[Path]
}
