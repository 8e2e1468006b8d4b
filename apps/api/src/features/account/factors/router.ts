import { contract } from '@papermoon/contract'
import { implement, router } from '../../../trpc.ts'
import { beginTotp } from './begin-totp.ts'
import { disableTotp } from './disable-totp.ts'
import { enableTotp } from './enable-totp.ts'
import { renewRecoveryCodes } from './renew-recovery-codes.ts'
import { getStatus } from './status.ts'

export const secondFactorRouter = router({
  status: implement(contract.secondFactor.status, ({ ctx }) => getStatus(ctx.app, ctx.userId)),
  begin: implement(contract.secondFactor.begin, ({ ctx }) => beginTotp(ctx, ctx.userId)),
  enable: implement(contract.secondFactor.enable, ({ ctx, input }) => enableTotp(ctx, ctx.userId, input)),
  disable: implement(contract.secondFactor.disable, ({ ctx }) => disableTotp(ctx, ctx.userId)),
  renewRecoveryCodes: implement(contract.secondFactor.renewRecoveryCodes, ({ ctx }) =>
    renewRecoveryCodes(ctx, ctx.userId),
  ),
})
