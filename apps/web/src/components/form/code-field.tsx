import { useState } from 'react'
import { toPlainDigits } from '../../lib/format/plain-digits.ts'
import { TextField } from './text-field.tsx'

interface CodeFieldProps {
  readonly kind: 'totp' | 'recovery'
  /** Why the server rejected the last code, or null. */
  readonly problem: string | null
  /** Whether the field takes the focus (default: true). */
  readonly autoFocus?: boolean
}

const DIGITS = 6

/** A field named `code`, for the digits of an authenticator app or for a recovery code. */
export function CodeField({ kind, problem, autoFocus = true }: CodeFieldProps) {
  const [code, setCode] = useState('')
  if (kind === 'recovery') {
    return (
      <TextField
        label="Recovery code"
        name="code"
        placeholder="xxxxx-xxxxx"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={20}
        autoFocus={autoFocus}
        data-autofocus
        required
        description="Use one of the ten codes that you saved. Each code works once."
        error={problem}
      />
    )
  }
  return (
    <TextField
      label="Code from your authenticator app"
      name="code"
      placeholder="6-digit code"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus={autoFocus}
      data-autofocus
      required
      value={code}
      onChange={(event) => setCode(toPlainDigits(event.currentTarget.value).replace(/\D/g, '').slice(0, DIGITS))}
      error={problem}
    />
  )
}
