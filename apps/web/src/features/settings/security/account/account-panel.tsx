import { useState } from 'react'
import { ActionButton } from '../../../../components/form/action-button.tsx'
import { Button } from '../../../../components/form/button.tsx'
import { Row } from '../../../../components/layout/managed-list.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { type CurrentUser, cache, client, type EmailState, trpc } from '../../../../lib/api/api.ts'
import { showToast } from '../../../../lib/ui/toasts.ts'
import { ChangeEmailDialog, ChangePasswordDialog, ChangeWalletDialog } from './change-dialogs.tsx'

type Matter = 'password' | 'email' | 'wallet'

/** Shows email, password and wallet, each with a change button. `/settings#password` opens the password dialog. */
export function AccountPanel({ user }: { user: CurrentUser }) {
  const [open, setOpen] = useState<Matter | null>(() => (location.hash === '#password' ? 'password' : null))
  const close = () => setOpen(null)
  return (
    <Panel title="Login details">
      <ul className="torn-top ruled" aria-label="Login details">
        <Row title="Password" notes={['Changing your password ends all your other sessions.']}>
          <Button look="quiet" onClick={() => setOpen('password')}>
            Change password
          </Button>
        </Row>
        <EmailRow email={user.email} onChange={() => setOpen('email')} />
        <Row title={user.wallet} notes={['Giveaway rewards are sent to this wallet.']}>
          <Button look="quiet" onClick={() => setOpen('wallet')}>
            Change wallet
          </Button>
        </Row>
      </ul>
      {open === 'password' && <ChangePasswordDialog onClose={close} />}
      {open === 'email' && <ChangeEmailDialog onClose={close} />}
      {open === 'wallet' && <ChangeWalletDialog onClose={close} />}
    </Panel>
  )
}

interface EmailRowProps {
  readonly email: string | null
  readonly onChange: () => void
}

function EmailRow({ email, onChange }: EmailRowProps) {
  const state = trpc.security.email.useQuery().data
  return (
    <Row
      title={state?.email ?? email ?? 'Not provided'}
      notes={[state === undefined ? 'Your email address.' : noteOn(state)]}
    >
      {state !== undefined && awaitsLink(state) && <SendLink />}
      <Button look="quiet" onClick={onChange}>
        Change email
      </Button>
    </Row>
  )
}

function SendLink() {
  const onSent = (state: EmailState) => {
    cache.security.email.setData(undefined, state)
    showToast({ title: 'Check your email', message: `We sent a link to ${state.pending?.email ?? state.email}.` })
  }
  return (
    <ActionButton
      label="Send the link again"
      busy="Sending..."
      act={() => client.security.sendEmailLink.mutate()}
      failure="Could not send the link"
      onSuccess={onSent}
    />
  )
}

function awaitsLink({ canVerify, isVerified, pending }: EmailState): boolean {
  return canVerify && (!isVerified || pending !== null)
}

function noteOn({ canVerify, isVerified, pending }: EmailState): string {
  if (pending !== null) return `Open the link that we emailed to ${pending.email} to change your address.`
  if (isVerified) return 'Your email address is verified.'
  return canVerify
    ? 'Your email address is not verified yet. Open the link that we emailed you.'
    : 'Your email address.'
}
