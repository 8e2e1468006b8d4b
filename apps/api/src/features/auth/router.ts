import { anyone, guestOrPlayer, router } from '../../trpc.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { currentUserOf } from './me.ts'
import { register } from './register.ts'
import { currentUser, done, loginInput, registerInput } from './schemas.ts'

export const authRouter = router({
  me: guestOrPlayer.output(currentUser.nullable()).query(({ ctx }) => currentUserOf(ctx.app, ctx.userId)),
  register: anyone
    .meta({ limit: 'register', alone: true })
    .input(registerInput)
    .output(done)
    .mutation(({ ctx, input }) => register(ctx, input)),
  login: anyone
    .meta({ limit: 'login', alone: true })
    .input(loginInput)
    .output(done)
    .mutation(({ ctx, input }) => login(ctx, input)),
  logout: anyone.output(done).mutation(({ ctx }) => logout(ctx)),
})
