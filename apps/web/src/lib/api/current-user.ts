import { isFairToken } from '@papermoon/contract/fair-tokens'
import { type CurrentUser, cache, client, type TokenId, trpc } from './api.ts'
import { queryClient } from './query-client.ts'

/** Max number of refetches while order responses keep arriving. The next live event corrects the rest. */
const TRIES_MAX = 3

/**
 * A regular expression for the names of queries that return the same response to every visitor, such as `tokens,get`.
 * The build creates the expression from the contract.
 */
declare const PUBLIC_QUERIES: string
/**
 * Queries that stay in the cache at logout. `auth.me` is set to null instead of removed, because the shell observes it.
 */
const CACHED_FOR_GUESTS = new RegExp(`${PUBLIC_QUERIES}|^auth,me$`)

/** Number of balances that order responses have set. A user fetched before the latest balance may be outdated. */
let balances = 0

/** Returns the logged-in player, or null for a guest. The shell renders no screen before the response. */
export function useCurrentUser(): CurrentUser | null {
  return trpc.auth.me.useQuery(undefined, { retryOnMount: false }).data ?? null
}

/**
 * Updates the cached balance after a change in a token's market; a null token means the main game. Ignores the SOL of
 * fairs, because each fair has its own account.
 */
export function setBalance(tokenId: TokenId | null, solBalance: string): void {
  if (tokenId !== null && isFairToken(tokenId)) return
  balances++
  cache.auth.me.setData(undefined, (user) => (user ? { ...user, solBalance } : user))
}

let isOver = false

/** Returns whether the session of a player ended while this page was open. */
export function isSessionOver(): boolean {
  return isOver
}

/**
 * Switches the page to a guest after the server reported that the session has ended. Removes every response that is not
 * public, so the next player on this page never sees the previous player's data.
 */
export function forgetPlayer(): void {
  queryClient.removeQueries({ predicate: ({ queryKey: [path] }) => !CACHED_FOR_GUESTS.test(String(path)) })
  isOver ||= cache.auth.me.getData() != null
  cache.auth.me.setData(undefined, null)
}

/**
 * Refetches the logged-in player. Refetches again if an order response arrives meanwhile. If that fails, leaves the
 * cache unchanged and throws.
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
