import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Moon } from '../../../components/layout/moon.tsx'
import { useTitle } from '../../../lib/hooks/use-title.ts'
import classes from './lost-ticket.module.css'
import { LostTicket } from './lost-ticket.tsx'
import { ResetForm } from './reset-form.tsx'

/** Time to read the success message, ms. */
const REDIRECT_AFTER_MS = 2_000

/** Password reset, step 2: set a new password. `asked` is the e-mail of the address, null if it names none. */
export function ResetPasswordScreen({ asked }: { asked: string | null }) {
  const [isDone, setDone] = useState(false)
  const { secret, email = asked } = useMailedLink()
  useTitle('Reset password')
  if (isDone) return <Done />
  return (
    <LostTicket
      title="Reset Password"
      lead={
        secret !== null ? (
          <>
            {email !== null && (
              <>
                For <strong>{email}</strong>.{' '}
              </>
            )}
            The link from your mail is in place. Choose a new password.
          </>
        ) : email === null ? (
          'Enter the code that you were given, and a password that you will remember this time.'
        ) : (
          <>
            For <strong>{email}</strong>. Enter the code that you were given, and a new password.
          </>
        )
      }
    >
      <ResetForm email={email} secret={secret} onDone={() => setDone(true)} />
      <Link to="/forgot-password" className={classes.back}>
        ← Back
      </Link>
    </LostTicket>
  )
}

interface MailedLink {
  readonly secret: string | null
  readonly email?: string
}

/** Reads a mailed link's fragment and removes it from the address bar, since it gives access to the account. */
function useMailedLink(): MailedLink {
  const [link] = useState(readMailedLink)
  useEffect(() => {
    if (link.secret !== null) history.replaceState(history.state, '', `${location.pathname}${location.search}`)
  }, [link])
  return link
}

/** The e-mail is missing in links of older builds, which name it in the query; an operator's have it alone. */
function readMailedLink(): MailedLink {
  const [, secret = null, rest = ''] = /^#(?:([\w-]{43})(?:&|$))?(.*)$/.exec(location.hash) ?? []
  const email = new URLSearchParams(rest).get('email')
  return { secret, ...(email !== null && { email }) }
}

function Done() {
  const navigate = useNavigate()
  const news = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Focus the message: the form that had the focus was removed.
    news.current?.focus()
    const timer = setTimeout(() => void navigate({ to: '/auth' }), REDIRECT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <LostTicket title="Password Reset!" lead="Redirecting to login...">
      <div ref={news} className={classes.done} role="status" tabIndex={-1}>
        <Moon className={classes.moon} />
        <p className={classes.dim}>All your sessions have ended. Log in with the new password.</p>
      </div>
    </LostTicket>
  )
}
