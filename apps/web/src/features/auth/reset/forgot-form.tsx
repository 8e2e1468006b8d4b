import type { FormEvent } from 'react'
import form from '../../../components/form/form.module.css'
import { TextField } from '../../../components/form/text-field.tsx'
import { trpc } from '../../../lib/api/api.ts'
import { getSentence } from '../../../lib/api/failure.ts'
import { readFields } from '../../../lib/ui/form-fields.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'
import { SubmitButton } from '../submit-button.tsx'

/** The address a code was requested for, and the server's answer. */
export interface ResetRequest {
  readonly email: string
  readonly message: string
  /** The code, if the server shows it; null otherwise. */
  readonly code: string | null
}

/** Requests a password reset code for an e-mail address. */
export function ForgotForm({ onAnswer }: { onAnswer: (request: ResetRequest) => void }) {
  const forgot = trpc.auth.forgotPassword.useMutation({
    onSuccess: ({ message, resetToken }, { email }) => {
      if (resetToken === undefined) showToast({ title: 'Check your email', message })
      else showToast({ title: 'Reset code generated!', message: 'Copy the code below to reset your password.' })
      onAnswer({ email, message, code: resetToken ?? null })
    },
    onError: (error) => showFailure('Request failed', getSentence(error), 'Failed to process request'),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { email } = readFields(event.currentTarget, ['email'])
    if (!forgot.isPending) forgot.mutate({ email: email.trim() })
  }
  return (
    <form className={form.form} onSubmit={submit}>
      <TextField label="Email" name="email" type="email" autoComplete="email" required withAsterisk={false} />
      <SubmitButton label="Send Reset Code" busyLabel="Sending..." busy={forgot.isPending} />
    </form>
  )
}
