import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { changeEmail } from './change-email.ts'
import { changePassword } from './change-password.ts'
import { changeWallet } from './change-wallet.ts'
import { beginPasskeyConfirm } from './confirm/begin-passkey-confirm.ts'
import { confirm } from './confirm/confirm.ts'
import { getEmail } from './get-email.ts'
import { sendEmailLink } from './send-email-link.ts'
import { endOtherSessions } from './sessions/end-other-sessions.ts'
import { endSession } from './sessions/end-session.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { verifyEmail } from './verify-email.ts'

export const securityRouter = router({
  beginPasskeyConfirm: implement(contract.security.beginPasskeyConfirm, ({ ctx }) =>
    beginPasskeyConfirm(ctx, ctx.userId),
  ),
  confirm: implement(contract.security.confirm, ({ ctx, input }) => confirm(ctx, ctx.userId, input)),
  changePassword: implement(contract.security.changePassword, ({ ctx, input }) =>
    changePassword(ctx, ctx.userId, input),
  ),
  changeWallet: implement(contract.security.changeWallet, ({ ctx, input }) => changeWallet(ctx, ctx.userId, input)),
  email: implement(contract.security.email, ({ ctx }) => getEmail(ctx.app, ctx.userId)),
  changeEmail: implement(contract.security.changeEmail, ({ ctx, input }) => changeEmail(ctx, ctx.userId, input)),
  sendEmailLink: implement(contract.security.sendEmailLink, ({ ctx }) => sendEmailLink(ctx, ctx.userId)),
  verifyEmail: implement(contract.security.verifyEmail, ({ ctx, input }) => verifyEmail(ctx, input)),
  sessions: implement(contract.security.sessions, ({ ctx }) => listSessions(ctx, ctx.userId)),
  endSession: implement(contract.security.endSession, ({ ctx, input }) => endSession(ctx, ctx.userId, input.id)),
  endOtherSessions: implement(contract.security.endOtherSessions, ({ ctx }) => endOtherSessions(ctx, ctx.userId)),
})
