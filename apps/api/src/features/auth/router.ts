import { assertionOptions } from '../../security/passkeys/schemas.ts'
import { anyone, guestOrPlayer, router } from '../../trpc.ts'
import { beginPasskeyLogin } from './begin-passkey-login.ts'
import { login } from './login.ts'
import { loginWithPasskey } from './login-with-passkey.ts'
import { logout } from './logout.ts'
import { getCurrentUser } from './me.ts'
import { register } from './register.ts'
import { forgotPassword } from './reset/forgot-password.ts'
import { resetPassword } from './reset/reset-password.ts'
import {
  currentUser,
  done,
  forgotPasswordInput,
  forgotPasswordResult,
  loginInput,
  loginResult,
  passkeyLoginInput,
  registerInput,
  resetPasswordInput,
} from './schemas.ts'

export const authRouter = router({
  me: guestOrPlayer.output(currentUser.nullable()).query(({ ctx }) => getCurrentUser(ctx.app, ctx.userId)),
  register: anyone
    .meta({ alone: true })
    .input(registerInput)
    .output(done)
    .mutation(({ ctx, input }) => register(ctx, input)),
  login: anyone
    .meta({ alone: true })
    .input(loginInput)
    .output(loginResult)
    .mutation(({ ctx, input }) => login(ctx, input)),
  beginPasskeyLogin: anyone
    .meta({ limit: 'passkey' })
    .output(assertionOptions)
    .mutation(({ ctx }) => beginPasskeyLogin(ctx)),
  loginWithPasskey: anyone
    .meta({ limit: 'passkey', alone: true })
    .input(passkeyLoginInput)
    .output(done)
    .mutation(({ ctx, input }) => loginWithPasskey(ctx, input)),
  forgotPassword: anyone
    .meta({ alone: true })
    .input(forgotPasswordInput)
    .output(forgotPasswordResult)
    .mutation(({ ctx, input }) => forgotPassword(ctx, input)),
  resetPassword: anyone
    .meta({ alone: true })
    .input(resetPasswordInput)
    .output(done)
    .mutation(({ ctx, input }) => resetPassword(ctx, input)),
  logout: anyone.output(done).mutation(({ ctx }) => logout(ctx)),
})
