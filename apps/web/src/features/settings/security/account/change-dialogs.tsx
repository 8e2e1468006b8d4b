import { type ReactNode, useState } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import { Form } from '../../../../components/form/form.tsx'
import { Option } from '../../../../components/form/option.tsx'
import { PasswordField } from '../../../../components/form/password-field.tsx'
import { TextField } from '../../../../components/form/text-field.tsx'
import { WalletField } from '../../../../components/form/wallet-field.tsx'
import { Dialog } from '../../../../components/layout/dialog.tsx'
import { cache, trpc } from '../../../../lib/api/api.ts'
import { useCurrentUser } from '../../../../lib/api/current-user.ts'
import { getReason, getSentence, NO_RESPONSE } from '../../../../lib/api/failure.ts'
import { counted } from '../../../../lib/format/counted.ts'
import { PASSWORD_MIN } from '../../../../lib/ui/new-password.ts'
import { showToast } from '../../../../lib/ui/toasts.ts'

interface ChangeProps {
  readonly onClose: () => void
}

export function ChangeEmailDialog({ onClose }: ChangeProps) {
  const change = trpc.security.changeEmail.useMutation({
    onSuccess: (state) => {
      cache.security.email.setData(undefined, state)
      void cache.auth.me.invalidate()
      const { email, pending } = state
      if (pending === null) showToast({ title: 'Email changed', message: `Your email address is now ${email}.` })
      else showToast({ title: 'Check your email', message: `Open the link that we emailed to ${pending.email}.` })
      onClose()
    },
  })
  return (
    <ChangeDialog<'email' | 'password'>
      title="Change your email"
      action="Change email"
      isBusy={change.isPending}
      onSend={({ email, password }) => change.mutate({ email, password })}
      onClose={onClose}
    >
      <TextField
        label="New Email"
        name="email"
        type="email"
        autoComplete="off"
        data-autofocus
        required
        error={describeProblem(change.error)}
      />
      <CurrentPasswordField error={change.error} />
    </ChangeDialog>
  )
}

export function ChangeWalletDialog({ onClose }: ChangeProps) {
  const change = trpc.security.changeWallet.useMutation({
    onSuccess: () => {
      void cache.auth.me.invalidate()
      showToast({ title: 'Wallet changed', message: 'Rewards will go to the new wallet.' })
      onClose()
    },
  })
  return (
    <ChangeDialog<'wallet' | 'password'>
      title="Change your wallet"
      action="Change wallet"
      isBusy={change.isPending}
      onSend={({ wallet, password }) => change.mutate({ wallet, password })}
      onClose={onClose}
    >
      <WalletField
        label="New Wallet Address"
        hint="Giveaway rewards are sent to this SOL address."
        doubt="This does not look like a Solana address. You can use it, but rewards may not reach you."
      />
      {describeProblem(change.error) !== null && (
        <p className="problem" role="alert">
          {describeProblem(change.error)}
        </p>
      )}
      <CurrentPasswordField error={change.error} />
    </ChangeDialog>
  )
}

export function ChangePasswordDialog({ onClose }: ChangeProps) {
  const [endsKeys, setEndsKeys] = useState(false)
  const [mistake, setMistake] = useState<Mistake | null>(null)
  const change = trpc.security.changePassword.useMutation({
    onSuccess: ({ sessionsEnded, keysRevoked }) => {
      showToast({ title: 'Password changed', message: describeEnded(sessionsEnded, keysRevoked) })
      void Promise.all([cache.security.sessions.invalidate(), cache.keys.list.invalidate()])
      onClose()
    },
  })
  const send = ({ password, next, confirm }: Record<'password' | 'next' | 'confirm', string>) => {
    const found = findMistake(next, confirm)
    setMistake(found)
    if (found === null) change.mutate({ password, newPassword: next, revokeKeys: endsKeys })
    else change.reset()
  }
  const findError = (field: Mistake['field']) => (mistake?.field === field ? mistake.sentence : null)
  return (
    <ChangeDialog
      title="Change your password"
      action="Change password"
      isBusy={change.isPending}
      onSend={send}
      onClose={onClose}
    >
      <CurrentPasswordField error={change.error} isFirst />
      <PasswordField
        label="New Password"
        name="next"
        autoComplete="new-password"
        required
        error={findError('next') ?? describeProblem(change.error)}
      />
      <PasswordField
        label="Confirm Password"
        name="confirm"
        autoComplete="new-password"
        required
        error={findError('confirm')}
      />
      <Option
        type="checkbox"
        title="Also revoke my API keys"
        note="Anyone who knew your password may have created a key"
        isOn={endsKeys}
        onChange={setEndsKeys}
      />
    </ChangeDialog>
  )
}

interface ChangeDialogProps<Name extends string> extends ChangeProps {
  readonly title: string
  /** Label of the submit button. */
  readonly action: string
  readonly isBusy: boolean
  readonly onSend: (fields: Record<Name, string>) => void
  readonly children: ReactNode
}

function ChangeDialog<Name extends string>(props: ChangeDialogProps<Name>) {
  const { title, action, isBusy, onSend, onClose, children } = props
  const user = useCurrentUser()
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <Form<Name> className="stack gap-l" isBusy={isBusy} onSend={onSend}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="email" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        {children}
        <Button type="submit" wide tall disabled={isBusy}>
          {isBusy ? 'Changing...' : action}
        </Button>
      </Form>
    </Dialog>
  )
}

/** A field for the current password. The server requires it for every change of login details. */
function CurrentPasswordField({ error, isFirst = false }: { error: unknown; isFirst?: boolean }) {
  return (
    <PasswordField
      label="Current Password"
      name="password"
      autoComplete="current-password"
      {...(isFirst && { 'data-autofocus': true })}
      required
      error={isWrongPassword(error) && getSentence(error)}
    />
  )
}

const isWrongPassword = (error: unknown) => getReason(error) === 'WRONG_PASSWORD'

/**
 * Returns a sentence that says why a change failed. Returns null if there is no error, or if the error is about the
 * current password.
 */
function describeProblem(error: unknown): string | null {
  if (error === null || isWrongPassword(error)) return null
  return getSentence(error) ?? NO_RESPONSE
}

interface Mistake {
  readonly field: 'next' | 'confirm'
  readonly sentence: string
}

/** Returns the problem with a new password, in the words of the registration and reset screens. */
function findMistake(next: string, confirm: string): Mistake | null {
  if (next.length < PASSWORD_MIN) {
    return { field: 'next', sentence: `Password must be at least ${PASSWORD_MIN} characters` }
  }
  return next === confirm ? null : { field: 'confirm', sentence: 'Please make sure your passwords match' }
}

function describeEnded(sessions: number, keys: number): string {
  const ended = counted(sessions, 'other session')
  const revoked = counted(keys, 'API key')
  if (keys === 0) return sessions === 0 ? 'You had no other sessions.' : `Ended: ${ended}.`
  return sessions === 0 ? `Revoked: ${revoked}.` : `Ended: ${ended}. Revoked: ${revoked}.`
}
