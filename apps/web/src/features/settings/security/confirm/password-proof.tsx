import type { FormEvent } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import form from '../../../../components/form/form.module.css'
import { PasswordField } from '../../../../components/form/password-field.tsx'
import { useCurrentUser } from '../../../../lib/api/current-user.ts'
import { readFields } from '../../../../lib/ui/form-fields.ts'

interface PasswordProofProps {
  readonly isBusy: boolean
  readonly problem: string | null
  readonly onPassword: (password: string) => void
}

/** Asks for the current password. */
export function PasswordProof({ isBusy, problem, onPassword }: PasswordProofProps) {
  const user = useCurrentUser()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Do not submit an enclosing form as well: React events bubble through portals.
    event.stopPropagation()
    const { password } = readFields(event.currentTarget, ['password'])
    if (!isBusy) onPassword(password)
  }
  return (
    <form className={form.form} onSubmit={submit}>
      {/* Tells password managers which account the password belongs to. */}
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
