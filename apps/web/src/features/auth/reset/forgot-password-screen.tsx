import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTitle } from '../../../lib/hooks/use-title.ts'
import { ForgotForm, type ResetRequest } from './forgot-form.tsx'
import classes from './lost-ticket.module.css'
import { LostTicket } from './lost-ticket.tsx'
import { ResetCode } from './reset-code.tsx'

/** Password reset, step 1: request a code. */
export function ForgotPasswordScreen() {
  const [request, setRequest] = useState<ResetRequest | null>(null)
  useTitle('Forgot password')
  return (
    <LostTicket
      title="Forgot Password"
      lead="It happens under the best moons. Tell us your e-mail address, and we make you a code to set a new password with."
    >
      {request === null ? <ForgotForm onAnswer={setRequest} /> : <ResetCode request={request} />}
      <Link to="/auth" className={classes.back}>
        ← Back to Login
      </Link>
    </LostTicket>
  )
}
