import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Form } from '../../../components/form/form.tsx'
import { PasswordField } from '../../../components/form/password-field.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { cache, trpc } from '../../../lib/api/api.ts'
import { getSentenceOf } from '../../../lib/api/failure.ts'
import { toPlainDigits } from '../../../lib/format/plain-digits.ts'
import { useTitle } from '../../../lib/hooks/use-title.ts'
import { isNewPassword } from '../../../lib/ui/new-password.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
import { SubmitButton } from '../submit-button.tsx'
import { AuthCard, AuthCardDone } from './auth-card.tsx'

/** How long the success message is shown, in ms. */
const REDIRECT_AFTER_MS = 2_000

export function ResetPasswordScreen() {
  const { email: asked = null } = useSearch({ from: '/reset-password' })
  const [isDone, setDone] = useState(false)
  const { secret, email = asked } = useMailedLink()
  useTitle('Reset password')
  if (isDone) return <Done />
  return (
    <AuthCard
      title="Reset Password"
      lead={
        <>
          {email !== null && (
            <>
              For <strong>{email}</strong>.{' '}
            </>
          )}
          {secret !== null
            ? 'The code from your email is already entered. Choose a new password.'
            : 'Enter your reset code and a new password.'}
        </>
      }
    >
      <ResetForm email={email} secret={secret} onDone={() => setDone(true)} />
      <Link to="/forgot-password" className="self-center touch px-s accent semibold inline-row gap-s">
        ← Back
      </Link>
    </AuthCard>
  )
}

interface MailedLink {
  readonly secret: string | null
  readonly email?: string
}

/**
 * Reads the secret from the fragment of an emailed link. Removes the secret from the URL bar, because the secret gives
 * access to the account.
 */
function useMailedLink(): MailedLink {
  const [link] = useState(readMailedLink)
  useEffect(() => {
    if (link.secret !== null) history.replaceState(history.state, '', `${location.pathname}${location.search}`)
  }, [link])
  return link
}

/**
 * In links from earlier versions, the email is in the query instead of the fragment. An operator's link contains only
 * the secret.
 */
function readMailedLink(): MailedLink {
  const [, secret = null, rest = ''] = /^#(?:([\w-]{43})(?:&|$))?(.*)$/.exec(location.hash) ?? []
  const email = new URLSearchParams(rest).get('email')
  return { secret, ...(email !== null && { email }) }
}

function Done() {
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to: '/auth' }), REDIRECT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <AuthCard title="Password Reset!" lead="Redirecting to login...">
      <AuthCardDone>All your sessions have ended. Log in with the new password.</AuthCardDone>
    </AuthCard>
  )
}

const CODE_DIGITS = 6
/** Matches the secret in the fragment of an emailed link. The secret can be used instead of the six digits. */
const LINK_SECRET = /^[\w-]{43}$/

interface ResetFormProps {
  /** The server requires the email address if another browser requested the code. */
  readonly email: string | null
  /** The secret from the emailed link that opened this screen, or null if the player types a code. */
  readonly secret: string | null
  readonly onDone: () => void
}

function ResetForm({ email, secret, onDone }: ResetFormProps) {
  const reset = trpc.auth.resetPassword.useMutation({
    onSuccess: () => {
      showToast({ title: 'Password reset successful!', message: 'You can now login with your new password.' })
      // Read `me` again, because the reset ended all sessions.
      void cache.auth.me.invalidate()
      onDone()
    },
    meta: { failure: 'Reset failed', fallback: 'Invalid or expired reset code' },
  })
  const send = ({ code, password, confirm }: Record<'code' | 'password' | 'confirm', string>) => {
    if (!isNewPassword(password, confirm)) return
    reset.mutate({ token: secret ?? code, newPassword: password, ...(email !== null && { email }) })
  }
  return (
    <Form className="stack gap-l" isBusy={reset.isPending} onSend={send}>
      {/* Tells password managers which account the new password belongs to. */}
      {email !== null && <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />}
      {secret === null && <CodeField problem={getSentenceOf(reset.error, 'RESET_CODE_INVALID')} />}
      <PasswordField
        label="New Password"
        name="password"
        autoComplete="new-password"
        required
        error={getSentenceOf(reset.error, 'WEAK_PASSWORD')}
      />
      <PasswordField label="Confirm Password" name="confirm" autoComplete="new-password" required />
      <SubmitButton label="Reset Password" busyLabel="Resetting..." busy={reset.isPending} />
    </Form>
  )
}

/** Removes all characters except digits, so that a code with spaces can be pasted. */
function CodeField({ problem }: { problem: string | null }) {
  const [code, setCode] = useState('')
  return (
    <TextField
      label="Reset Code"
      name="code"
      placeholder="6-digit code"
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      error={problem}
      value={code}
      onChange={(event) => setCode(cleanCode(event.currentTarget.value))}
    />
  )
}

/**
 * Removes characters that a code cannot contain. Does not change a pasted secret, because emails from servers without a
 * public URL contain the secret itself.
 */
function cleanCode(typed: string): string {
  const text = typed.trim()
  return LINK_SECRET.test(text) ? text : toPlainDigits(text).replace(/\D/g, '').slice(0, CODE_DIGITS)
}
