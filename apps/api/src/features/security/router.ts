import { z } from 'zod'
import { assertionOptions } from '../../security/passkeys/schemas.ts'
import { anyone, router, signedIn } from '../../trpc.ts'
import { changeEmail } from './change-email.ts'
import { changePassword } from './change-password.ts'
import { changeWallet } from './change-wallet.ts'
import { beginPasskeyConfirm } from './confirm/begin-passkey-confirm.ts'
import { confirm } from './confirm/confirm.ts'
import { getEmail } from './get-email.ts'
import {
  changeEmailInput,
  changePasswordInput,
  changeWalletInput,
  confirmed,
  confirmInput,
  done,
  emailState,
  endSessionInput,
  passwordChanged,
  session,
  sessionsEnded,
  verifyEmailInput,
} from './schemas.ts'
import { sendEmailLink } from './send-email-link.ts'
import { endOtherSessions } from './sessions/end-other-sessions.ts'
import { endSession } from './sessions/end-session.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { verifyEmail } from './verify-email.ts'

export const securityRouter = router({
  beginPasskeyConfirm: signedIn
    .meta({ limit: 'second-factor', whenSuspended: 'allowed' })
    .output(assertionOptions)
    .mutation(({ ctx }) => beginPasskeyConfirm(ctx, ctx.userId)),
  confirm: signedIn
    .meta({ alone: true, whenSuspended: 'allowed' })
    .input(confirmInput)
    .output(confirmed)
    .mutation(({ ctx, input }) => confirm(ctx, ctx.userId, input)),
  changePassword: signedIn
    .meta({ alone: true, whenSuspended: 'allowed' })
    .input(changePasswordInput)
    .output(passwordChanged)
    .mutation(({ ctx, input }) => changePassword(ctx, ctx.userId, input)),
  changeWallet: signedIn
    .meta({ alone: true, whenSuspended: 'allowed' })
    .input(changeWalletInput)
    .output(done)
    .mutation(({ ctx, input }) => changeWallet(ctx, ctx.userId, input)),
  email: signedIn
    .meta({ apiKey: 'never' })
    .output(emailState)
    .query(({ ctx }) => getEmail(ctx.app, ctx.userId)),
  changeEmail: signedIn
    .meta({ alone: true, whenSuspended: 'allowed' })
    .input(changeEmailInput)
    .output(emailState)
    .mutation(({ ctx, input }) => changeEmail(ctx, ctx.userId, input)),
  sendEmailLink: signedIn
    .meta({ whenSuspended: 'allowed' })
    .output(emailState)
    .mutation(({ ctx }) => sendEmailLink(ctx, ctx.userId)),
  verifyEmail: anyone
    .meta({ limit: 'confirm', alone: true })
    .input(verifyEmailInput)
    .output(done)
    .mutation(({ ctx, input }) => verifyEmail(ctx, input)),
  sessions: signedIn
    .meta({ apiKey: 'never' })
    .output(z.array(session))
    .query(({ ctx }) => listSessions(ctx, ctx.userId)),
  endSession: signedIn
    .meta({ whenSuspended: 'allowed' })
    .input(endSessionInput)
    .output(done)
    .mutation(({ ctx, input }) => endSession(ctx, ctx.userId, input.id)),
  endOtherSessions: signedIn
    .meta({ whenSuspended: 'allowed' })
    .output(sessionsEnded)
    .mutation(({ ctx }) => endOtherSessions(ctx, ctx.userId)),
})
