import { useState } from 'react'
import { TextField } from './text-field.tsx'

interface WalletFieldProps {
  readonly label: string
  readonly hint: string
  /** Text that replaces the hint if the typed text is not a Solana address. The field accepts such a text anyway. */
  readonly doubt: string
  readonly enterKeyHint?: 'next'
  readonly initial?: string
}

/** A field named `wallet`. */
export function WalletField({ label, hint, doubt, enterKeyHint, initial = '' }: WalletFieldProps) {
  const [wallet, setWallet] = useState(initial)
  const doubtful = !['', 'none'].includes(wallet.trim().toLowerCase()) && !isSolanaAddress(wallet)
  return (
    <TextField
      label={label}
      name="wallet"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      enterKeyHint={enterKeyHint}
      maxLength={64}
      required
      value={wallet}
      onChange={(event) => setWallet(event.currentTarget.value)}
      inputWrapperOrder={['label', 'input', 'description']}
      descriptionProps={{ role: 'status' }}
      description={doubtful ? doubt : hint}
    />
  )
}

/** Returns whether a text looks like a Solana address: 32 to 44 base58 characters. */
function isSolanaAddress(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text.trim())
}
