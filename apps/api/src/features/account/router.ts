import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { changeWallet } from './change-account.ts'
import { beginPasskeyConfirm, confirm } from './confirm/confirm.ts'
import { declareBot } from './declare-bot.ts'
import { askDeletion, undoDeletion } from './deletion/delete-due-accounts.ts'
import { changeEmail, getEmail, sendEmailLink, verifyEmail } from './email/own-email.ts'
import { beginTotp, disableTotp, enableTotp, getStatus, renewRecoveryCodes } from './factors/authenticator-app.ts'
import { createKey, listKeys, revokeKey } from './keys/keys.ts'
import { addPasskey, beginAddPasskey, listPasskeys, removePasskey } from './passkeys/passkeys.ts'
import { changePassword } from './password/change-password.ts'
import { forgotPassword } from './password/forgot-password.ts'
import { resetPassword } from './password/reset-password.ts'
import { prepareExport } from './records/account-export.ts'
import { listEvents } from './records/list-events.ts'
import { resetAccount } from './reset.ts'
import { endOtherSessions, endSession, listSessions } from './sessions/own-sessions.ts'
import { beginPasskeyLogin, login, loginWithPasskey } from './sign-in/login.ts'
import { logout } from './sign-in/logout.ts'
import { getCurrentUser } from './sign-in/me.ts'
import { register } from './sign-in/register.ts'

export const accountRouter = router({
  events: implement(contract.account.events, ({ ctx, input }) => listEvents(ctx.app, ctx.userId, input)),
  declareBot: implement(contract.account.declareBot, ({ ctx, input }) => declareBot(ctx, ctx.userId, input)),
  prepareExport: implement(contract.account.prepareExport, ({ ctx }) => prepareExport(ctx, ctx.userId)),
  askDeletion: implement(contract.account.askDeletion, ({ ctx, input }) => askDeletion(ctx, ctx.userId, input)),
  undoDeletion: implement(contract.account.undoDeletion, ({ ctx }) => undoDeletion(ctx, ctx.userId)),
  reset: implement(contract.account.reset, ({ ctx }) => resetAccount(ctx.app, ctx.userId)),
})

export const keysRouter = router({
  list: implement(contract.keys.list, ({ ctx }) => listKeys(ctx.app, ctx.userId)),
  create: implement(contract.keys.create, ({ ctx, input }) => createKey(ctx, ctx.userId, input)),
  revoke: implement(contract.keys.revoke, ({ ctx, input }) => revokeKey(ctx, ctx.userId, input.id)),
})

export const passkeysRouter = router({
  list: implement(contract.passkeys.list, ({ ctx }) => listPasskeys(ctx, ctx.userId)),
  beginAdd: implement(contract.passkeys.beginAdd, ({ ctx }) => beginAddPasskey(ctx, ctx.userId)),
  add: implement(contract.passkeys.add, ({ ctx, input }) => addPasskey(ctx, ctx.userId, input)),
  remove: implement(contract.passkeys.remove, ({ ctx, input }) => removePasskey(ctx, ctx.userId, input.id)),
})

export const secondFactorRouter = router({
  status: implement(contract.secondFactor.status, ({ ctx }) => getStatus(ctx.app, ctx.userId)),
  begin: implement(contract.secondFactor.begin, ({ ctx }) => beginTotp(ctx, ctx.userId)),
  enable: implement(contract.secondFactor.enable, ({ ctx, input }) => enableTotp(ctx, ctx.userId, input)),
  disable: implement(contract.secondFactor.disable, ({ ctx }) => disableTotp(ctx, ctx.userId)),
  renewRecoveryCodes: implement(contract.secondFactor.renewRecoveryCodes, ({ ctx }) =>
    renewRecoveryCodes(ctx, ctx.userId),
  ),
})

export const authRouter = router({
  me: implement(contract.auth.me, ({ ctx }) => getCurrentUser(ctx.app, ctx.userId)),
  register: implement(contract.auth.register, ({ ctx, input }) => register(ctx, input)),
  login: implement(contract.auth.login, ({ ctx, input }) => login(ctx, input)),
  beginPasskeyLogin: implement(contract.auth.beginPasskeyLogin, ({ ctx }) => beginPasskeyLogin(ctx)),
  loginWithPasskey: implement(contract.auth.loginWithPasskey, ({ ctx, input }) => loginWithPasskey(ctx, input)),
  forgotPassword: implement(contract.auth.forgotPassword, ({ ctx, input }) => forgotPassword(ctx, input)),
  resetPassword: implement(contract.auth.resetPassword, ({ ctx, input }) => resetPassword(ctx, input)),
  logout: implement(contract.auth.logout, ({ ctx }) => logout(ctx)),
})

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
