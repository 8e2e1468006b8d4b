import { contract } from '@papermoon/contract'
import { implement, router } from '../../../trpc.ts'
import { forgotPassword } from '../password/forgot-password.ts'
import { resetPassword } from '../password/reset-password.ts'
import { beginPasskeyLogin } from './begin-passkey-login.ts'
import { login } from './login.ts'
import { loginWithPasskey } from './login-with-passkey.ts'
import { logout } from './logout.ts'
import { getCurrentUser } from './me.ts'
import { register } from './register.ts'

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
