import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Button, ButtonLink } from '../../../components/form/button.tsx'
import { Form } from '../../../components/form/form.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import ticket from '../../../components/layout/stub.module.css'
import { trpc } from '../../../lib/api/api.ts'
import { useTitle } from '../../../lib/hooks/use-title.ts'
import { copyWithToast } from '../../../lib/ui/copy-text.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
import { SubmitButton } from '../submit-button.tsx'
import classes from './auth-card.module.css'
import { AuthCard } from './auth-card.tsx'

export function ForgotPasswordScreen() {
  const [request, setRequest] = useState<ResetRequest | null>(null)
  useTitle('Forgot password')
  return (
    <AuthCard title="Forgot Password" lead="Enter your email address. We will give you a code to set a new password.">
      {request === null ? <ForgotForm onAnswer={setRequest} /> : <ResetCode request={request} />}
      <Link to="/auth" className="self-center touch px-s accent semibold inline-row gap-s">
        ← Back to Login
      </Link>
    </AuthCard>
  )
}

function ResetCode({ request: { email, message, code } }: { request: ResetRequest }) {
  // Focus the response, because the form with the focus was removed.
  const answer = useRef<HTMLElement>(null)
  useEffect(() => answer.current?.focus(), [])
  return (
    <section ref={answer} className="stack gap-l no-outline" tabIndex={-1} aria-label="Your reset code">
      {code === null ? (
        <p className="p-l round-m edge-dashed">{message}</p>
      ) : (
        <div className={`${ticket.notched} stack middle gap-s p-l on-stub round-m`}>
          <p className={`text-3xl heavy solid ${classes.code}`}>{code}</p>
          <p className="text-m">Code expires in 15 minutes</p>
          <Button
            onClick={() =>
              void copyWithToast(code, 'Reset code copied to clipboard', 'Please select the code and copy it.')
            }
          >
            Copy
          </Button>
        </div>
      )}
      <ButtonLink to="/reset-password" search={{ email }} wide tall>
        {code === null ? 'Enter Reset Code' : 'Continue to Reset Password'}
      </ButtonLink>
    </section>
  )
}

/** The email address for which a code was requested, and the server's response. */
interface ResetRequest {
  readonly email: string
  readonly message: string
  /** The code, or null if the server does not reveal it. */
  readonly code: string | null
}

function ForgotForm({ onAnswer }: { onAnswer: (request: ResetRequest) => void }) {
  const forgot = trpc.auth.forgotPassword.useMutation({
    onSuccess: ({ message, resetToken, isUnavailable }, { email }) => {
      if (resetToken !== undefined)
        showToast({ title: 'Reset code generated!', message: 'Copy the code below to reset your password.' })
      else if (!isUnavailable) showToast({ title: 'Check your email', message })
      onAnswer({ email, message, code: resetToken ?? null })
    },
    meta: { failure: 'Request failed', fallback: 'Failed to process request' },
  })
  return (
    <Form<'email'>
      className="stack gap-l"
      isBusy={forgot.isPending}
      onSend={({ email }) => forgot.mutate({ email: email.trim() })}
    >
      <TextField label="Email" name="email" type="email" autoComplete="email" required />
      <SubmitButton label="Send Reset Code" busyLabel="Sending..." busy={forgot.isPending} />
    </Form>
  )
}
