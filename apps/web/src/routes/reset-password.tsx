import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordScreen } from '../features/auth/reset/reset-password-screen.tsx'

export const Route = createFileRoute('/reset-password')({
  // Always present, even if undefined: the router merges this over the raw search parameters.
  validateSearch: ({ email }: Record<string, unknown>): { email?: string | undefined } => ({
    email: typeof email === 'string' && email !== '' ? email : undefined,
  }),
  component: ResetPasswordRoute,
})

function ResetPasswordRoute() {
  return <ResetPasswordScreen asked={Route.useSearch().email ?? null} />
}
