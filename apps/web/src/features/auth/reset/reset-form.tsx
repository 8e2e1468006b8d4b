import { type FormEvent, useState } from 'react'
import form from '../../../components/form/form.module.css'
import { PasswordField } from '../../../components/form/password-field.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { cache, trpc } from '../../../lib/api/api.ts'
import { getSentence } from '../../../lib/api/failure.ts'
import { readFields } from '../../../lib/ui/form-fields.ts'
import { isNewPassword } from '../../../lib/ui/new-password.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'
import { SubmitButton } from '../submit-button.tsx'

const CODE_DIGITS = 6
/** The secret in the fragment of a mailed link; valid instead of the digits. */
const LINK_SECRET = /^[\w-]{43}$/

interface ResetFormProps {
  /** Required by the server when another browser requested the code. */
  readonly email: string | null
  /** The secret of the mailed link that led here; null when the player types a code. */
  readonly secret: string | null
  readonly onDone: () => void
}

/** Sets a new password with a reset code. */
export function ResetForm({ email, secret, onDone }: ResetFormProps) {
  const reset = trpc.auth.resetPassword.useMutation({
    onSuccess: () => {
      showToast({ title: 'Password reset successful!', message: 'You can now login with your new password.' })
      // The reset ended all sessions.
      void cache.auth.me.invalidate()
      onDone()
    },
    onError: (error) => showFailure('Reset failed', getSentence(error), 'Invalid or expired reset code'),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { code, password, confirm } = readFields(event.currentTarget, ['code', 'password', 'confirm'])
    if (!isNewPassword(password, confirm) || reset.isPending) return
    reset.mutate({ token: secret ?? code, newPassword: password, ...(email !== null && { email }) })
  }
  return (
    <form className={form.form} onSubmit={submit}>
      {/* Tells password managers which account the new password belongs to. */}
      {email !== null && <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />}
      {secret === null && <CodeField />}
      <PasswordField label="New Password" name="password" autoComplete="new-password" required withAsterisk={false} />
      <PasswordField
        label="Confirm Password"
        name="confirm"
        autoComplete="new-password"
        required
        withAsterisk={false}
      />
      <SubmitButton label="Reset Password" busyLabel="Resetting..." busy={reset.isPending} />
    </form>
  )
}

/** Keeps digits only, so that a code pasted with spaces fits. */
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
      onChange={(event) => setCode(cleanCode(event.currentTarget.value))}
    />
  )
}

/** Mails of servers without a public URL contain the secret itself; keep it whole when it is pasted. */
function cleanCode(typed: string): string {
  const text = typed.trim()
  return LINK_SECRET.test(text) ? text : text.replace(/\D/g, '').slice(0, CODE_DIGITS)
}
