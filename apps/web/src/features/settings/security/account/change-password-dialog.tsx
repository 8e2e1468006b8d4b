import { type FormEvent, useState } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import form from '../../../../components/form/form.module.css'
import { PasswordField } from '../../../../components/form/password-field.tsx'
import { Dialog } from '../../../../components/layout/dialog.tsx'
import { cache, trpc } from '../../../../lib/api/api.ts'
import { readFields } from '../../../../lib/ui/form-fields.ts'
import { PASSWORD_MIN } from '../../../../lib/ui/new-password.ts'
import { showToast } from '../../../../lib/ui/toasts.ts'
import { Option } from '../../api-keys/option.tsx'
import { toProblem } from '../confirm/to-problem.ts'
import { AccountName } from './account-name.tsx'
import { CurrentPasswordField } from './current-password-field.tsx'

/** Sets a new password, which ends all other sessions. */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const [endsKeys, setEndsKeys] = useState(false)
  const [mistake, setMistake] = useState<Mistake | null>(null)
  const change = trpc.security.changePassword.useMutation({
    onSuccess: ({ sessionsEnded, keysRevoked }) => {
      showToast({ title: 'Password Changed', message: describeEnded(sessionsEnded, keysRevoked) })
      void Promise.all([cache.security.sessions.invalidate(), cache.keys.list.invalidate()])
      onClose()
    },
  })
  const problem = toProblem(change.error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { password, next, confirm } = readFields(event.currentTarget, ['password', 'next', 'confirm'])
    const found = findMistake(next, confirm)
    setMistake(found)
    if (found === null && !change.isPending) change.mutate({ password, newPassword: next, revokeKeys: endsKeys })
    else change.reset()
  }
  return (
    <Dialog title="A new password" isBusy={change.isPending} onClose={onClose}>
      <form className={form.form} onSubmit={submit}>
        <AccountName />
        <CurrentPasswordField problem={problem} />
        <PasswordField
          label="New Password"
          name="next"
          autoComplete="new-password"
          required
          withAsterisk={false}
          error={mistake?.field === 'next' ? mistake.sentence : problem?.ofOthers}
        />
        <PasswordField
          label="Confirm Password"
          name="confirm"
          autoComplete="new-password"
          required
          withAsterisk={false}
          error={mistake?.field === 'confirm' ? mistake.sentence : null}
        />
        <Option
          type="checkbox"
          title="End my API keys, too"
          note="Somebody who knew the password may have made one"
          isOn={endsKeys}
          onChange={setEndsKeys}
        />
        <Button type="submit" wide tall disabled={change.isPending}>
          {change.isPending ? 'Changing...' : 'Change Password'}
        </Button>
      </form>
    </Dialog>
  )
}

interface Mistake {
  readonly field: 'next' | 'confirm'
  readonly sentence: string
}

/** What a new password lacks, in the words of the register and reset screens. */
function findMistake(next: string, confirm: string): Mistake | null {
  if (next.length < PASSWORD_MIN) {
    return { field: 'next', sentence: `Password must be at least ${PASSWORD_MIN} characters` }
  }
  return next === confirm ? null : { field: 'confirm', sentence: 'Please make sure your passwords match' }
}

function describeEnded(sessions: number, keys: number): string {
  const ended = [
    ...(sessions > 0 ? [sessions === 1 ? '1 other session' : `${sessions} other sessions`] : []),
    ...(keys > 0 ? [keys === 1 ? '1 API key' : `${keys} API keys`] : []),
  ]
  return ended.length === 0 ? 'You were signed in nowhere else.' : `Ended: ${ended.join(' and ')}.`
}
