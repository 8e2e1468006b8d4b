import type { FormEvent } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import form from '../../../../components/form/form.module.css'
import { TextField } from '../../../../components/form/text-field.tsx'
import { Dialog } from '../../../../components/layout/dialog.tsx'
import { cache, type EmailState, trpc } from '../../../../lib/api/api.ts'
import { readFields } from '../../../../lib/ui/form-fields.ts'
import { showToast } from '../../../../lib/ui/toasts.ts'
import { toProblem } from '../confirm/to-problem.ts'
import { AccountName } from './account-name.tsx'
import { CurrentPasswordField } from './current-password-field.tsx'

/** Changes the account's e-mail address. */
export function ChangeEmailDialog({ onClose }: { onClose: () => void }) {
  const change = trpc.security.changeEmail.useMutation({
    onSuccess: (state) => {
      cache.security.email.setData(undefined, state)
      void cache.auth.me.invalidate()
      tell(state)
      onClose()
    },
  })
  const problem = toProblem(change.error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { email, password } = readFields(event.currentTarget, ['email', 'password'])
    if (!change.isPending) change.mutate({ email, password })
  }
  return (
    <Dialog title="Another e-mail address" isBusy={change.isPending} onClose={onClose}>
      <form className={form.form} onSubmit={submit}>
        <AccountName />
        <TextField
          label="New E-mail"
          name="email"
          type="email"
          autoComplete="off"
          data-autofocus
          required
          withAsterisk={false}
          error={problem?.ofOthers}
        />
        <CurrentPasswordField problem={problem} isFirst={false} />
        <Button type="submit" wide tall disabled={change.isPending}>
          {change.isPending ? 'Changing...' : 'Change E-mail'}
        </Button>
      </form>
    </Dialog>
  )
}

function tell({ email, pending }: EmailState): void {
  if (pending === null) showToast({ title: 'E-mail Changed', message: `Your account has ${email} now.` })
  else showToast({ title: 'Check your email', message: `Open the link that we mailed to ${pending.email}.` })
}
