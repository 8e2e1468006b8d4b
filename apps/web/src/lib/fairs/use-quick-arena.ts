import { useNavigate } from '@tanstack/react-router'
import { trpc } from '../api/api.ts'
import { forgetPlayer, isSessionOver, useCurrentUser } from '../api/current-user.ts'
import { isSignedOut } from '../api/failure.ts'
import { showFailure } from '../ui/toasts.ts'
import { keepFair } from './use-enter-fair.ts'

/** Returns a function that begins a quick arena, or opens the arena that the player is in. Guests first register. */
export function useQuickArena({ replaces = false } = {}) {
  const user = useCurrentUser()
  const navigate = useNavigate()
  const askToSignIn = () =>
    void navigate({
      to: '/auth',
      state: { authTab: isSessionOver() ? 'login' : 'register', returnTo: '/fairs/quick' },
      replace: replaces,
    })
  const mutation = trpc.fairs.beginQuick.useMutation({
    onSuccess: (fair) => {
      keepFair(fair)
      void navigate({ to: '/fairs/{-$id}', params: { id: String(fair.id) }, replace: replaces })
    },
    onError: (error) => {
      if (isSignedOut(error)) {
        forgetPlayer()
        return askToSignIn()
      }
      showFailure('Could not begin the quick arena', error)
    },
  })
  return {
    begin: () => (user === null ? askToSignIn() : mutation.mutate()),
    isBeginning: mutation.isPending || mutation.isSuccess,
  }
}
