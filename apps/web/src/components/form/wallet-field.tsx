import { useState } from 'react'
import { isSolanaAddress } from '../../lib/format/is-solana-address.ts'
import { TextField } from './text-field.tsx'

/** A field named `wallet`. Warns, but does not refuse, when the text is no Solana address. */
export function WalletField({ label }: { label: string }) {
  const [wallet, setWallet] = useState('')
  const doubtful = wallet.trim() !== '' && !isSolanaAddress(wallet)
  return (
    <TextField
      label={label}
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
