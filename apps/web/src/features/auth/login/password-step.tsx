import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import form from '../../../components/form/form.module.css'
import { PasswordField } from '../../../components/form/password-field.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { canUsePasskeys } from '../../../lib/api/passkeys.ts'
import { readFields } from '../../../lib/ui/form-fields.ts'
import { SubmitButton } from '../submit-button.tsx'
import classes from './login-form.module.css'
import { PasskeyLogin } from './passkey-login.tsx'

interface PasswordStepProps {
  readonly email: string
  /** Whether the form is focused on arrival. */
  readonly isFocused: boolean
  /** Whether the player returned from the code step: focuses the form again. */
  readonly isBack: boolean
  readonly isBusy: boolean
  readonly onPassword: (login: { email: string; password: string }) => void
}

/** E-mail and password, and a passkey button where the browser supports passkeys. */
export function PasswordStep({ email, isFocused, isBack, isBusy, onPassword }: PasswordStepProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onPassword(readFields(event.currentTarget, ['email', 'password']))
  }
  return (
    <form className={form.form} onSubmit={submit}>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={email}
        autoFocus={isFocused && !isBack}
        required
        withAsterisk={false}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        autoFocus={isBack}
        required
        withAsterisk={false}
      />
      <Link to="/forgot-password" className={classes.forgot}>
        Forgot Password?
      </Link>
      <SubmitButton label="Login" busyLabel="Logging in..." busy={isBusy} />
      {canUsePasskeys() && <PasskeyLogin isBusy={isBusy} />}
    </form>
  )
}
