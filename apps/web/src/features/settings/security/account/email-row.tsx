import { Button } from '../../../../components/form/button.tsx'
import { cache, type EmailState, trpc } from '../../../../lib/api/api.ts'
import { getSentence } from '../../../../lib/api/failure.ts'
import { showFailure, showToast } from '../../../../lib/ui/toasts.ts'
import classes from '../../api-keys/api-keys.module.css'
import rows from '../../settings-list.module.css'

interface EmailRowProps {
  readonly email: string | null
  readonly onChange: () => void
}

/** The e-mail address, its verification state, and a button that sends a new link. */
export function EmailRow({ email, onChange }: EmailRowProps) {
  const state = trpc.security.email.useQuery().data
  return (
    <li className={rows.row}>
      <div className={rows.about}>
        <span className={rows.name}>{state?.email ?? email ?? 'Not provided'}</span>
        <span className={classes.note}>{state === undefined ? 'Your e-mail address.' : noteOn(state)}</span>
      </div>
      {state !== undefined && awaitsLink(state) && <SendLink />}
      <Button look="quiet" onClick={onChange}>
        Change E-mail
      </Button>
    </li>
  )
}

function SendLink() {
  const send = trpc.security.sendEmailLink.useMutation({
    onSuccess: (state) => {
      cache.security.email.setData(undefined, state)
      showToast({
        title: 'Check your email',
        message: `A link is on its way to ${state.pending?.email ?? state.email}.`,
      })
    },
    onError: (error) => showFailure('No Link Sent', getSentence(error), 'Failed to send the link'),
  })
  return (
    <Button look="quiet" disabled={send.isPending} onClick={() => send.mutate()}>
      {send.isPending ? 'Sending...' : 'Send the Link Again'}
    </Button>
  )
}

function awaitsLink({ canVerify, isVerified, pending }: EmailState): boolean {
  return canVerify && (!isVerified || pending !== null)
}

function noteOn({ canVerify, isVerified, pending }: EmailState): string {
  if (pending !== null) return `Becomes ${pending.email} as soon as you open the link that we mailed there.`
  if (isVerified) return 'Your e-mail address, verified.'
  return canVerify ? 'Your e-mail address, not verified yet: open the link that we mailed you.' : 'Your e-mail address.'
}
