import type { FormEvent } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import form from '../../../components/form.module.css'
import { PasswordField } from '../../../components/password-field.tsx'
import { trpc } from '../../../lib/api.ts'
import { useCurrentUser } from '../../../lib/current-user.ts'
import { sentenceOf } from '../../../lib/failure.ts'
import { fieldsOf } from '../../../lib/fields-of.ts'
import classes from './confirm-dialog.module.css'

interface ConfirmDialogProps {
  readonly onConfirmed: () => void
  readonly onClose: () => void
}

/** Asks the player to prove that it is still them. */
export function ConfirmDialog({ onConfirmed, onClose }: ConfirmDialogProps) {
  const confirm = trpc.security.confirm.useMutation({ onSuccess: onConfirmed })
  return (
    <Dialog title="Is it still you?" isBusy={confirm.isPending} onClose={onClose}>
      <p className={classes.text}>
        This could harm you if somebody else did it. Show that it is you; for ten minutes you are not asked again.
      </p>
      <PasswordProof
        isBusy={confirm.isPending}
        problem={confirm.isError ? (sentenceOf(confirm.error) ?? 'The server did not answer. Try again.') : null}
        onPassword={(password) => confirm.mutate({ password })}
      />
    </Dialog>
  )
}

interface PasswordProofProps {
  readonly isBusy: boolean
  readonly problem: string | null
  readonly onPassword: (password: string) => void
}

function PasswordProof({ isBusy, problem, onPassword }: PasswordProofProps) {
  const user = useCurrentUser()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // What asks may itself be a form.
    event.stopPropagation()
    const { password } = fieldsOf(event.currentTarget, ['password'])
    if (!isBusy) onPassword(password)
  }
  return (
    <form className={form.form} onSubmit={submit}>
      {/* Password managers find the password by this name. */}
      <input type="email" name="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        data-autofocus
        required
        withAsterisk={false}
        error={problem}
      />
      <Button type="submit" wide tall disabled={isBusy}>
        {isBusy ? 'Confirming...' : 'Confirm'}
      </Button>
    </form>
  )
}
