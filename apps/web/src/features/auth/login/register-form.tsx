import type { FormEvent } from 'react'
import form from '../../../components/form/form.module.css'
import { PasswordField } from '../../../components/form/password-field.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { WalletField } from '../../../components/form/wallet-field.tsx'
import { trpc } from '../../../lib/api/api.ts'
import { getSentence } from '../../../lib/api/failure.ts'
import { readFields } from '../../../lib/ui/form-fields.ts'
import { passwordsMatch } from '../../../lib/ui/new-password.ts'
import { showFailure } from '../../../lib/ui/toasts.ts'
import { SubmitButton } from '../submit-button.tsx'
import { enter } from './enter.ts'

const NAMES = ['username', 'email', 'wallet', 'password', 'confirm'] as const

/** Creates an account and signs the player in. */
export function RegisterForm() {
  const register = trpc.auth.register.useMutation({
    onSuccess: () => enter({ title: 'Account created!', message: "You've received 100 SOL to start trading." }),
    onError: (error) => showFailure('Registration failed', getSentence(error), 'Failed to create account'),
  })
  const busy = register.isPending || register.isSuccess
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { confirm, ...account } = readFields(event.currentTarget, NAMES)
    if (passwordsMatch(account.password, confirm) && !busy) register.mutate(account)
  }
  return (
    <form className={form.form} onSubmit={submit}>
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        maxLength={32}
        required
        withAsterisk={false}
      />
      <TextField label="Email" name="email" type="email" autoComplete="email" required withAsterisk={false} />
      <WalletField label="Wallet Address (for giveaways)" />
      <PasswordField label="Password" name="password" autoComplete="new-password" required withAsterisk={false} />
      <PasswordField
        label="Confirm Password"
        name="confirm"
        autoComplete="new-password"
        required
        withAsterisk={false}
      />
      <SubmitButton label="Create Account" busyLabel="Creating account..." busy={busy} />
    </form>
  )
}
