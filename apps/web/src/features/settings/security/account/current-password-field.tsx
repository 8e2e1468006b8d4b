import { PasswordField } from '../../../../components/form/password-field.tsx'
import type { Problem } from '../confirm/to-problem.ts'

/** Asks for the current password, as every change of credentials does. */
export function CurrentPasswordField({ problem, isFirst = true }: { problem: Problem | null; isFirst?: boolean }) {
  return (
    <PasswordField
      label="Current Password"
      name="password"
      autoComplete="current-password"
      {...(isFirst && { 'data-autofocus': true })}
      required
      withAsterisk={false}
      error={problem?.ofPassword}
    />
  )
}
