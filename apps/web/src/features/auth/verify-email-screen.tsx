import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { cache, trpc } from '../../lib/api/api.ts'
import { getSentence, NO_RESPONSE } from '../../lib/api/failure.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { AuthCard, AuthCardDone } from './reset/auth-card.tsx'

/**
 * The emailed verification link opens this screen. The screen verifies the address only when the player presses the
 * button, because mail scanners open links.
 */
export function VerifyEmailScreen() {
  const secret = useSecret()
  const verify = trpc.security.verifyEmail.useMutation({
    onSuccess: () => Promise.all([cache.auth.me.invalidate(), cache.security.email.invalidate()]),
  })
  useTitle('Verify your email')
  if (verify.isSuccess) {
    return (
      <AuthCard title="Email verified!" lead="We can now reach you at this address.">
        <AuthCardDone>Your account now has this email address.</AuthCardDone>
        <ToSettings />
      </AuthCard>
    )
  }
  if (secret === '') {
    return (
      <AuthCard title="This link is incomplete" lead="Part of the link is missing. Open it from the email again.">
        <ToSettings />
      </AuthCard>
    )
  }
  return (
    <AuthCard title="Verify your email" lead="Confirm that this address is yours.">
      <Button wide tall disabled={verify.isPending} onClick={() => verify.mutate({ token: secret })}>
        {verify.isPending ? 'Verifying...' : 'Verify my email'}
      </Button>
      {verify.isError && (
        <p className="problem" role="alert">
          {getSentence(verify.error) ?? NO_RESPONSE}
        </p>
      )}
      <ToSettings />
    </AuthCard>
  )
}

/** Reads the secret from the URL's fragment. Removes the secret from the URL and the history. */
function useSecret(): string {
  const [secret] = useState(() => location.hash.slice(1))
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])
  return secret
}

function ToSettings() {
  return (
    <Link to="/settings" className="self-center touch px-s accent semibold inline-row gap-s">
      Go to settings
    </Link>
  )
}
