import { isFairToken } from '@papermoon/contract/fair-tokens'
import { type CurrentUser, cache, client, type TokenId, trpc } from './api.ts'
import { queryClient } from './query-client.ts'

/**
 * Max number of attempts to fetch the player while order responses keep arriving. After that many attempts, the next
 * live event corrects the balance.
 */
const TRIES_MAX = 3

/**
 * A regular expression for the names of queries with the same response for every visitor, such as `tokens,get`. The
 * build creates this expression from the contract.
 */
declare const PUBLIC_QUERIES: string
/**
 * Matches queries that stay in the cache at logout. (`auth.me` is set to null instead of being removed, because the
 * shell observes it.)
 */
const CACHED_FOR_GUESTS = new RegExp(`${PUBLIC_QUERIES}|^auth,me$`)

/**
 * Number of balances that order responses have set. A user that was fetched before the latest order response may be
 * outdated.
 */
let balances = 0

/** Returns the logged-in player, or null for a guest. The shell renders no screen before the player is known. */
export function useCurrentUser(): CurrentUser | null {
  return trpc.auth.me.useQuery(undefined, { retryOnMount: false }).data ?? null
}

/**
 * Updates the cached balance after a change in a token's market. If the token is null, the change was in the main game.
 * Ignores the SOL of fairs, because each fair has its own account.
 */
export function setBalance(tokenId: TokenId | null, solBalance: string): void {
  if (tokenId !== null && isFairToken(tokenId)) return
  balances++
  cache.auth.me.setData(undefined, (user) => (user ? { ...user, solBalance } : user))
}

/** For each token, the `seq` of the player's latest trade whose response is in the cache. */
const cached = new Map<TokenId, number>()

/** Returns whether the cache includes the response to the player's trade `seq`, or to a later one. */
export function isResponseCached(id: TokenId, seq: number): boolean {
  return (cached.get(id) ?? 0) >= seq
}

/** Records that the cache includes the response to the player's trade `seq`. */
export function noteCachedResponse(id: TokenId, seq: number): void {
  cached.set(id, seq)
}

let isOver = false

/** Returns whether a player's session ended while this page was open. */
export function isSessionOver(): boolean {
  return isOver
}

/**
 * Switches the page to a guest after the server reported that the session has ended. Removes every response that is not
 * public, because the next player on this page must not see the previous player's data.
 */
export function forgetPlayer(): void {
  queryClient.removeQueries({ predicate: ({ queryKey: [path] }) => !CACHED_FOR_GUESTS.test(String(path)) })
  isOver ||= cache.auth.me.getData() != null
  cache.auth.me.setData(undefined, null)
}

/**
 * Fetches the logged-in player again, and repeats the request if an order response arrives meanwhile. If the request
 * fails, leaves the cache as it is and throws.
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
