import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { changeWallet } from './change-wallet.ts'
import { beginPasskeyConfirm } from './confirm/begin-passkey-confirm.ts'
import { confirm } from './confirm/confirm.ts'
import { changeEmail } from './email/change-email.ts'
import { getEmail } from './email/get-email.ts'
import { sendEmailLink } from './email/send-email-link.ts'
import { verifyEmail } from './email/verify-email.ts'
import { changePassword } from './password/change-password.ts'
import { endOtherSessions } from './sessions/end-other-sessions.ts'
import { endSession } from './sessions/end-session.ts'
import { listSessions } from './sessions/list-sessions.ts'

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
