import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import form from '../../components/form.module.css'
import { PasswordField } from '../../components/password-field.tsx'
import { TextField } from '../../components/text-field.tsx'
import { trpc } from '../../lib/api.ts'
import { sentenceOf } from '../../lib/failure.ts'
import { fieldsOf } from '../../lib/fields-of.ts'
import { isSolanaAddress } from '../../lib/is-solana-address.ts'
import { passwordsMatch } from '../../lib/new-password.ts'
import { showFailure } from '../../lib/toasts.ts'
import { enter } from './enter.ts'

const NAMES = ['username', 'email', 'wallet', 'password', 'confirm'] as const

/** Makes an account and signs its player in. */
export function RegisterForm() {
  const register = trpc.auth.register.useMutation({
    onSuccess: () => enter({ title: 'Account created!', message: "You've received 100 SOL to start trading." }),
    onError: (error) => showFailure('Registration failed', sentenceOf(error), 'Failed to create account'),
  })
  const busy = register.isPending || register.isSuccess
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { confirm, ...account } = fieldsOf(event.currentTarget, NAMES)
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
      <WalletField />
      <PasswordField label="Password" name="password" autoComplete="new-password" required withAsterisk={false} />
      <PasswordField
        label="Confirm Password"
        name="confirm"
        autoComplete="new-password"
        required
        withAsterisk={false}
      />
      <Button type="submit" wide tall disabled={busy}>
        {busy ? 'Creating account...' : 'Create Account'}
      </Button>
    </form>
  )
}

function WalletField() {
  const [wallet, setWallet] = useState('')
  const doubtful = wallet.trim() !== '' && !isSolanaAddress(wallet)
  return (
    <TextField
      label="Wallet Address (for giveaways)"
      name="wallet"
      autoComplete="off"
      spellCheck={false}
      maxLength={64}
      required
      withAsterisk={false}
      value={wallet}
      onChange={(event) => setWallet(event.currentTarget.value)}
      inputWrapperOrder={['label', 'input', 'description']}
      descriptionProps={{ role: 'status' }}
      description={
        doubtful
          ? 'This does not look like a Solana address. You can go on, but rewards may miss you.'
          : 'A SOL address; rewards are sent there.'
      }
    />
  )
}
