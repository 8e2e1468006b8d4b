import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordScreen } from '../features/auth/reset/reset-password-screen.tsx'

export const Route = createFileRoute('/reset-password')({
  // Named where there is none, too: the router lays this over what the address says.
  validateSearch: ({ email }: Record<string, unknown>): { email?: string | undefined } => ({
    email: typeof email === 'string' && email !== '' ? email : undefined,
  }),
  component: ResetPasswordRoute,
})

function ResetPasswordRoute() {
  return <ResetPasswordScreen email={Route.useSearch().email ?? null} />
}
