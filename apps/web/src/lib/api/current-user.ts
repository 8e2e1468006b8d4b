import { getQueryKey } from '@trpc/react-query'
import { type CurrentUser, cache, client, trpc } from './api.ts'
import { queryClient } from './query-client.ts'

/** Answers that contradict each other more often than this are left to the next news. */
const TRIES_MAX = 3

/** How often an answer of an order brought a balance: an answer that was asked for before it may be older. */
let balances = 0

/** The signed-in player, or null for a guest; the shell shows no screen before this is known. */
export function useCurrentUser(): CurrentUser | null {
  return trpc.auth.me.useQuery(undefined, { retryOnMount: false }).data ?? null
}

/** Puts a balance that an order's answer brought into the cache, for every place that shows it. */
export function setBalance(solBalance: string): void {
  balances++
  cache.auth.me.setData(undefined, (user) => (user ? { ...user, solBalance } : user))
}

/** Makes the page a guest's: the server said that nobody is signed in any more. */
export function forgetPlayer(): void {
  cache.auth.me.setData(undefined, null)
  queryClient.removeQueries({ queryKey: getQueryKey(trpc.trading.position) })
}

/**
 * Asks who is signed in and what they have. An answer that an order overtook is asked for again; one that fails leaves
 * everything as it was, and throws.
 */
export async function refetchPlayer(ask: () => Promise<CurrentUser | null> = client.auth.me.query): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const before = balances
    const user = await ask()
    if (balances !== before) continue
    if (user === null) forgetPlayer()
    else cache.auth.me.setData(undefined, user)
    return
  }
}
