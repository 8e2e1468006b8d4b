import type { App, Context } from '../../context.ts'
import { BadInputError } from '../../errors.ts'
import type { AppInputs, AppOutputs } from '../../router.ts'
import { callProcedure } from './call-procedure.ts'

type Outputs = {
  'tokens.get': AppOutputs['tokens']['get']
  'tokens.chart': AppOutputs['tokens']['chart']
  'users.profile': AppOutputs['users']['profile']
  'leaderboard.get': AppOutputs['leaderboard']['get']
}

type Inputs = {
  'tokens.get': AppInputs['tokens']['get']
  'tokens.chart': AppInputs['tokens']['chart']
  'users.profile': AppInputs['users']['profile']
  'leaderboard.get': undefined
}

/** Who asks without saying who they are; counted by their address like everybody. */
export interface Guest {
  readonly app: App
  readonly ip: string
  /** Takes the headers that say what is left of a limit. */
  header(name: string, value: string): void
}

/** What anybody may read: no cookie and no key counts, whoever asks. Throws `TRPCError`. */
export async function callAsGuest<Path extends keyof Outputs>(
  { app, ip, header }: Guest,
  path: Path,
  input: Inputs[Path],
): Promise<Outputs[Path]> {
  const ctx: Context = {
    app,
    ip,
    userAgent: null,
    isLocal: false,
    isSecureContext: false,
    proofOfWork: null,
    header,
    apiKey: null,
    sessionToken: null,
    sessionCookie: null,
    hasOldCookie: false,
    resetToken: null,
    resetCookie: null,
    trustedBrowserToken: null,
    trustedBrowserCookie: null,
    passkeyToken: null,
    passkeyCookie: null,
    relyingParty: () => null,
    browserToken: null,
    browserCookie: null,
    acquireSubscriptionSlot: () => {
      throw new BadInputError('Subscriptions need a WebSocket.')
    },
  }
  // The names and their outputs are the router's own.
  return (await callProcedure({ ctx, path, type: 'query', readInput: () => input, index: 0 })) as Outputs[Path]
}
