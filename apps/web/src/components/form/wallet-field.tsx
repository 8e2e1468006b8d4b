import { useState } from 'react'
import { isSolanaAddress } from '../../lib/format/is-solana-address.ts'
import { TextField } from './text-field.tsx'

interface WalletFieldProps {
  readonly label: string
  /** Shown under the field. */
  readonly hint: string
  /** Shown instead of the hint when the text is no Solana address, which is not refused. */
  readonly doubt: string
  readonly enterKeyHint?: 'next'
}

/** A field named `wallet`. */
export function WalletField({ label, hint, doubt, enterKeyHint }: WalletFieldProps) {
  const [wallet, setWallet] = useState('')
  const doubtful = wallet.trim() !== '' && !isSolanaAddress(wallet)
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
      withAsterisk={false}
      value={wallet}
      onChange={(event) => setWallet(event.currentTarget.value)}
      inputWrapperOrder={['label', 'input', 'description']}
      descriptionProps={{ role: 'status' }}
      description={doubtful ? doubt : hint}
    />
  )
}
