import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import form from '../../components/form.module.css'
import { PasswordField } from '../../components/password-field.tsx'
import { TextField } from '../../components/text-field.tsx'
import { cache, trpc } from '../../lib/api.ts'
import { sentenceOf } from '../../lib/failure.ts'
import { fieldsOf } from '../../lib/fields-of.ts'
import { isNewPassword } from '../../lib/new-password.ts'
import { showFailure, showToast } from '../../lib/toasts.ts'

const CODE_DIGITS = 6

interface ResetFormProps {
  /** Needed by the server when another browser asked for the code. */
  readonly email: string | null
  readonly onDone: () => void
}

/** Sets a new password with a reset code. */
export function ResetForm({ email, onDone }: ResetFormProps) {
  const reset = trpc.auth.resetPassword.useMutation({
    onSuccess: () => {
      showToast({ title: 'Password reset successful!', message: 'You can now login with your new password.' })
      // Whoever was signed in with the old password no longer is.
      void cache.auth.me.invalidate()
      onDone()
    },
    onError: (error) => showFailure('Reset failed', sentenceOf(error), 'Invalid or expired reset code'),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { code, password, confirm } = fieldsOf(event.currentTarget, ['code', 'password', 'confirm'])
    if (!isNewPassword(password, confirm) || reset.isPending) return
    reset.mutate({ token: code, newPassword: password, ...(email !== null && { email }) })
  }
  return (
    <form className={form.form} onSubmit={submit}>
      {/* Password managers keep the new password under this name. */}
      {email !== null && <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />}
      <CodeField />
      <PasswordField label="New Password" name="password" autoComplete="new-password" required withAsterisk={false} />
      <PasswordField
        label="Confirm Password"
        name="confirm"
        autoComplete="new-password"
        required
        withAsterisk={false}
      />
      <Button type="submit" wide tall disabled={reset.isPending}>
        {reset.isPending ? 'Resetting...' : 'Reset Password'}
      </Button>
    </form>
  )
}

/** Takes digits only, so a code pasted with spaces fits. */
function CodeField() {
  const [code, setCode] = useState('')
  return (
    <TextField
      label="Reset Code"
      name="code"
      placeholder="6-digit code"
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      withAsterisk={false}
      value={code}
      onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, CODE_DIGITS))}
    />
  )
}
