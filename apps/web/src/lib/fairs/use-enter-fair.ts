import { useNavigate } from '@tanstack/react-router'
import { cache, client, type Fair } from '../api/api.ts'
import { isSessionOver } from '../api/current-user.ts'
import { useOrder } from '../api/use-order.ts'
import { forgetIntent, readIntent } from '../market/stored-intent.ts'
import { showToast } from '../ui/toasts.ts'

interface EnterOptions {
  readonly invite?: string | undefined
  readonly leadsThere?: boolean | undefined
}

/** Returns a function that enters a fair. Guests first register, and then return to the fair. */
export function useEnterFair(
  { id, name, stake }: Pick<Fair, 'id' | 'name' | 'stake'>,
  { invite, leadsThere }: EnterOptions,
) {
  const { openFair, openLogin } = useFairNavigation()
  const { send, isBusy } = useOrder({
    // The call needs no key, because entering again changes nothing.
    call: (_, options) => client.fairs.enter.mutate({ id, ...(invite && { invite }) }, options),
    onAnswer: (fair: Fair) => {
      cacheFair(fair)
      showToast({ title: 'You’re in!', message: `You have ${stake} SOL to play with in ${name}.` })
      if (leadsThere) openFair(fair)
    },
    failure: () => ({ title: 'Could not enter the fair' }),
    askForLogin: () => openLogin(`/fairs/${id}${invite ? `#invite=${invite}` : ''}`),
  })
  return { enter: () => send({}), isEntering: isBusy }
}

/** Returns a function that starts a quick arena, or opens the arena that the player is in. Guests first register. */
export function useQuickArena({ replaces = false } = {}) {
  const { openFair, openLogin } = useFairNavigation(replaces)
  const { send, isBusy, answer } = useOrder({
    // The call needs no key, because a second call returns the same arena.
    call: (_, options) => client.fairs.beginQuick.mutate(undefined, options),
    onAnswer: (fair: Fair) => {
      cacheFair(fair)
      openFair(fair)
    },
    failure: () => ({ title: 'Could not begin the quick arena' }),
    askForLogin: () => openLogin('/fairs/quick'),
  })
  return { begin: () => send({}), isBeginning: isBusy || answer !== null }
}

function useFairNavigation(replace = false) {
  const navigate = useNavigate()
  return {
    openFair: ({ id }: Fair) => void navigate({ to: '/fairs/{-$id}', params: { id: String(id) }, replace }),
    /** Opens the login, and then returns to `returnTo`. */
    openLogin: (returnTo: `/fairs/${string}`) =>
      void navigate({ to: '/auth', state: { authTab: isSessionOver() ? 'login' : 'register', returnTo }, replace }),
  }
}

/**
 * Stores a fair from a response or from the live feed in the cache. Also removes the suggestion for a first trade,
 * because the player is now in a fair.
 */
export function cacheFair(fair: Fair): void {
  if (fair.me !== null && readIntent()?.kind === 'first-trade') forgetIntent()
  cache.fairs.get.setData({ id: fair.id }, fair)
  void cache.fairs.list.invalidate()
  void cache.fairs.ranking.invalidate({ id: fair.id })
  // Fetch the positions again, because the trade panels of the fair's tokens need the balance.
  void cache.trading.position.invalidate()
}
