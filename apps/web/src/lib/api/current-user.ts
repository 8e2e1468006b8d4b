import { isFairToken } from '@papermoon/contract/fair-tokens'
import { type CurrentUser, cache, client, type TokenId, trpc } from './api.ts'
import { queryClient } from './query-client.ts'

/** Max refetches when order answers keep arriving meanwhile; the next live event will correct the rest. */
const TRIES_MAX = 3

/** By the build, from the contract: matches the path of a query that answers every visitor alike, such as `tokens,get`. */
declare const PUBLIC_QUERIES: string
/** `auth.me` is not dropped but set to null, since the shell observes it. */
const KEPT = new RegExp(`${PUBLIC_QUERIES}|^auth,me$`)

/** Counts the balances set by order answers. A user fetched before the latest of them may be outdated. */
let balances = 0

/** The signed-in player, or null for a guest. The shell renders no screen before this is known. */
export function useCurrentUser(): CurrentUser | null {
  return trpc.auth.me.useQuery(undefined, { retryOnMount: false }).data ?? null
}

/**
 * Updates the cached balance after a change in the market of this token; null: the fairground itself. Ignores a fair's
 * SOL, which is another account.
 */
export function setBalance(tokenId: TokenId | null, solBalance: string): void {
  if (tokenId !== null && isFairToken(tokenId)) return
  balances++
  cache.auth.me.setData(undefined, (user) => (user ? { ...user, solBalance } : user))
}

let isOver = false

/** Whether this page's guest was a player whose session has ended meanwhile. */
export function isSessionOver(): boolean {
  return isOver
}

/**
 * Turns the page into a guest's, after the server said that the session is over: drops every answer that is not public,
 * so that the next player on this page never sees the last one's data.
 */
export function forgetPlayer(): void {
  queryClient.removeQueries({ predicate: ({ queryKey: [path] }) => !KEPT.test(String(path)) })
  isOver ||= cache.auth.me.getData() != null
  cache.auth.me.setData(undefined, null)
}

/**
 * Refetches the signed-in player. Repeats when an order was answered meanwhile. On failure leaves the cache unchanged
 * and throws.
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
