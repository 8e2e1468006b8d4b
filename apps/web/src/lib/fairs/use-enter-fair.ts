import { useNavigate } from '@tanstack/react-router'
import { cache, type Fair, trpc } from '../api/api.ts'
import { forgetPlayer, isSessionOver, useCurrentUser } from '../api/current-user.ts'
import { isSignedOut } from '../api/failure.ts'
import { showFailure, showToast } from '../ui/toasts.ts'

interface EnterOptions {
  readonly invite?: string | undefined
  readonly leadsThere?: boolean | undefined
}

/** Returns a function that enters a fair. Guests first register and then return to the fair. */
export function useEnterFair(
  { id, name, stake }: Pick<Fair, 'id' | 'name' | 'stake'>,
  { invite, leadsThere }: EnterOptions,
) {
  const user = useCurrentUser()
  const navigate = useNavigate()
  const askToSignIn = () => {
    const returnTo = `/fairs/${id}${invite ? `#invite=${invite}` : ''}` as const
    void navigate({ to: '/auth', state: { authTab: isSessionOver() ? 'login' : 'register', returnTo } })
  }
  const mutation = trpc.fairs.enter.useMutation({
    onSuccess: (fair) => {
      keepFair(fair)
      showToast({ title: 'You’re in!', message: `You have ${stake} SOL to play with in ${name}.` })
      if (leadsThere) void navigate({ to: '/fairs/{-$id}', params: { id: String(id) } })
    },
    onError: (error) => {
      if (isSignedOut(error)) {
        forgetPlayer()
        return askToSignIn()
      }
      showFailure('Could not enter the fair', error)
    },
  })
  const enter = () => (user === null ? askToSignIn() : mutation.mutate({ id, ...(invite && { invite }) }))
  return { enter, isEntering: mutation.isPending }
}

/** Stores a fair from a response or from the live feed in the cache. */
export function keepFair(fair: Fair): void {
  cache.fairs.get.setData({ id: fair.id }, fair)
  void cache.fairs.list.invalidate()
  void cache.fairs.ranking.invalidate({ id: fair.id })
  // Refetch the positions, because the trade panels of the fair's tokens need the balance.
  void cache.trading.position.invalidate()
}
