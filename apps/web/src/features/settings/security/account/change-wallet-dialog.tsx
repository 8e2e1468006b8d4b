import type { FormEvent } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import form from '../../../../components/form/form.module.css'
import { WalletField } from '../../../../components/form/wallet-field.tsx'
import { Dialog } from '../../../../components/layout/dialog.tsx'
import { cache, trpc } from '../../../../lib/api/api.ts'
import { readFields } from '../../../../lib/ui/form-fields.ts'
import { showToast } from '../../../../lib/ui/toasts.ts'
import classes from '../confirm/confirm-dialog.module.css'
import { toProblem } from '../confirm/to-problem.ts'
import { AccountName } from './account-name.tsx'
import { CurrentPasswordField } from './current-password-field.tsx'

/** Changes the wallet for giveaway rewards. */
export function ChangeWalletDialog({ onClose }: { onClose: () => void }) {
  const change = trpc.security.changeWallet.useMutation({
    onSuccess: () => {
      void cache.auth.me.invalidate()
      showToast({ title: 'Wallet Changed', message: 'Rewards go to the new one from now on.' })
      onClose()
    },
  })
  const problem = toProblem(change.error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { wallet, password } = readFields(event.currentTarget, ['wallet', 'password'])
    if (!change.isPending) change.mutate({ wallet, password })
  }
  return (
    <Dialog title="Another wallet" isBusy={change.isPending} onClose={onClose}>
      <form className={form.form} onSubmit={submit}>
        <AccountName />
        <WalletField
          label="New Wallet Address"
          hint="A SOL address; rewards are sent there."
          doubt="This does not look like a Solana address. You can go on, but rewards may miss you."
        />
        {problem?.ofOthers && (
          <p className={classes.problem} role="alert">
            {problem.ofOthers}
          </p>
        )}
        <CurrentPasswordField problem={problem} isFirst={false} />
        <Button type="submit" wide tall disabled={change.isPending}>
          {change.isPending ? 'Changing...' : 'Change Wallet'}
        </Button>
      </form>
    </Dialog>
  )
}
