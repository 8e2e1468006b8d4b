import { type CurrentUser, cache, trpc } from './api.ts'

/** The signed-in player, or null for a guest; the shell shows no screen before this is known. */
export function useCurrentUser(): CurrentUser | null {
  return trpc.auth.me.useQuery().data ?? null
}

/** Puts a balance that an answer brought into the cache, for every place that shows it. */
export function setBalance(solBalance: string): void {
  cache.auth.me.setData(undefined, (user) => (user ? { ...user, solBalance } : user))
}
