import { useNavigate } from '@tanstack/react-router'
import { client, type Fair } from '../api/api.ts'
import { isSessionOver } from '../api/current-user.ts'
import { useOrder } from '../api/use-order.ts'
import { cacheFair } from './use-enter-fair.ts'

/** Returns a function that starts a quick arena, or opens the arena that the player is in. Guests first register. */
export function useQuickArena({ replaces = false } = {}) {
  const navigate = useNavigate()
  const { send, isBusy, answer } = useOrder({
    // The call needs no key, because a second call returns the same arena.
    call: (_, options) => client.fairs.beginQuick.mutate(undefined, options),
    onAnswer: (fair: Fair) => {
      cacheFair(fair)
      void navigate({ to: '/fairs/{-$id}', params: { id: String(fair.id) }, replace: replaces })
    },
    failure: () => ({ title: 'Could not begin the quick arena' }),
    askForLogin: () =>
      void navigate({
        to: '/auth',
        state: { authTab: isSessionOver() ? 'login' : 'register', returnTo: '/fairs/quick' },
        replace: replaces,
      }),
  })
  return { begin: () => send({}), isBeginning: isBusy || answer !== null }
}
