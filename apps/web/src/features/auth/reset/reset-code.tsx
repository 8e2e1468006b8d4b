import { useEffect, useRef } from 'react'
import { Button, ButtonLink } from '../../../components/form/button.tsx'
import { copyText } from '../../../lib/ui/copy-text.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
import type { ResetRequest } from './forgot-form.tsx'
import classes from './lost-ticket.module.css'

/** The answer to a request: the code with a copy button, or where it was sent; and the link to the next step. */
export function ResetCode({ request: { email, message, code } }: { request: ResetRequest }) {
  // Focus the answer: the form that had the focus was removed.
  const answer = useRef<HTMLElement>(null)
  useEffect(() => answer.current?.focus(), [])
  return (
    <section ref={answer} className={classes.answer} tabIndex={-1} aria-label="Your reset code">
      {code === null ? (
        <p className={classes.message}>{message}</p>
      ) : (
        <div className={classes.stub}>
          <p className={classes.code}>{code}</p>
          <p className={classes.expiry}>Code expires in 15 minutes</p>
          <Button onClick={() => void copyCode(code)}>Copy</Button>
        </div>
      )}
      <ButtonLink to="/reset-password" search={{ email }} wide tall>
        {code === null ? 'Enter Reset Code' : 'Continue to Reset Password'}
      </ButtonLink>
    </section>
  )
}

async function copyCode(code: string): Promise<void> {
  if (await copyText(code)) showToast({ title: 'Copied!', message: 'Reset code copied to clipboard' })
  else showToast({ title: 'Not copied', message: 'Please select the code and copy it.', kind: 'destructive' })
}
