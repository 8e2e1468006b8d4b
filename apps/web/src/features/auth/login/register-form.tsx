import { type KeyboardEvent, useState } from 'react'
import { Form } from '../../../components/form/form.tsx'
import { PasswordField } from '../../../components/form/password-field.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { WalletField } from '../../../components/form/wallet-field.tsx'
import { trpc } from '../../../lib/api/api.ts'
import { getSentenceOf } from '../../../lib/api/failure.ts'
import { readIntent, storeIntent } from '../../../lib/market/stored-intent.ts'
import { isNewPassword, PASSWORD_MIN } from '../../../lib/ui/new-password.ts'
import { SubmitButton } from '../submit-button.tsx'
import { enter, findFairToEnter, isForQuickArena } from './enter.ts'

type Fields = Record<'username' | 'email' | 'wallet' | 'password' | 'confirm', string>

export function RegisterForm({ isFocused }: { isFocused: boolean }) {
  const register = trpc.auth.register.useMutation({
    onSuccess: () => {
      const opensFair = isForQuickArena() || findFairToEnter() !== null
      if (!opensFair && readIntent() === null) storeIntent({ kind: 'first-trade' })
      enter({ title: 'Account created!', message: "You've received 100 SOL to start trading." })
    },
    meta: { failure: 'Registration failed', fallback: 'Failed to create account' },
  })
  const [isShort, setShort] = useState(false)
  const busy = register.isPending || register.isSuccess
  const send = ({ confirm, ...account }: Fields) => {
    const invite = findFairToEnter()?.invite
    const sent = invite === undefined ? account : { ...account, invite }
    if (isNewPassword(account.password, confirm)) register.mutate(sent)
  }
  return (
    <Form className="stack gap-l" isBusy={busy} onSend={send} onKeyDown={focusNextEmpty}>
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoFocus={isFocused}
        enterKeyHint="next"
        maxLength={32}
        required
      />
      <TextField label="Email" name="email" type="email" autoComplete="email" enterKeyHint="next" required />
      <WalletField
        label="Wallet Address (for giveaways)"
        enterKeyHint="next"
        initial="none"
        hint="No wallet? Leave “none”. You need a wallet only if you win, and you can add it later in Settings. The leaderboard shows the wallets of the Top 3."
        doubt="This is not a Solana address. You can still play, and add a wallet in Settings if you want rewards."
      />
      <div className="columns">
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          enterKeyHint="next"
          required
          error={
            isShort
              ? `Password must be at least ${PASSWORD_MIN} characters`
              : getSentenceOf(register.error, 'WEAK_PASSWORD')
          }
          onBlur={({ currentTarget: { value } }) => setShort(value !== '' && value.length < PASSWORD_MIN)}
        />
        <PasswordField label="Confirm Password" name="confirm" autoComplete="new-password" enterKeyHint="go" required />
      </div>
      <SubmitButton label="Create Account" busyLabel="Creating account..." busy={busy} />
    </Form>
  )
}

/**
 * Makes Enter (the "next" key on a phone's keyboard) focus the next empty field. If no field is empty, Enter submits
 * the form.
 */
function focusNextEmpty(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
  const inputs = [...event.currentTarget.querySelectorAll('input')]
  const next = inputs.slice(inputs.indexOf(event.target) + 1).find(({ value }) => value === '')
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
