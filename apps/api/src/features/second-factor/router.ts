import { router, signedIn } from '../../trpc.ts'
import { beginTotp } from './begin-totp.ts'
import { disableTotp } from './disable-totp.ts'
import { enableTotp } from './enable-totp.ts'
import { renewRecoveryCodes } from './renew-recovery-codes.ts'
import { enableTotpInput, recoveryCodes, secondFactorStatus, switchedOff, totpSetup } from './schemas.ts'
import { getStatus } from './status.ts'

export const secondFactorRouter = router({
  status: signedIn
    .meta({ apiKey: 'never' })
    .output(secondFactorStatus)
    .query(({ ctx }) => getStatus(ctx.app, ctx.userId)),
  begin: signedIn
    .meta({ limit: 'second-factor', whenSuspended: 'allowed' })
    .output(totpSetup)
    .mutation(({ ctx }) => beginTotp(ctx, ctx.userId)),
  enable: signedIn
    .meta({ limit: 'recovery-codes', whenSuspended: 'allowed' })
    .input(enableTotpInput)
    .output(recoveryCodes)
    .mutation(({ ctx, input }) => enableTotp(ctx, ctx.userId, input)),
  disable: signedIn
    .meta({ limit: 'second-factor', whenSuspended: 'allowed' })
    .output(switchedOff)
    .mutation(({ ctx }) => disableTotp(ctx, ctx.userId)),
  renewRecoveryCodes: signedIn
    .meta({ limit: 'recovery-codes', whenSuspended: 'allowed' })
    .output(recoveryCodes)
    .mutation(({ ctx }) => renewRecoveryCodes(ctx, ctx.userId)),
})
