import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordScreen } from '../features/auth/reset-password-screen.tsx'

export const Route = createFileRoute('/reset-password')({
  validateSearch: ({ email }: Record<string, unknown>): { email?: string } =>
    typeof email === 'string' && email !== '' ? { email } : {},
  component: ResetPasswordRoute,
})

function ResetPasswordRoute() {
  return <ResetPasswordScreen email={Route.useSearch().email ?? null} />
}
