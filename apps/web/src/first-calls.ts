import type { AppRouter } from '@papermoon/contract/router'
import { QueryClient } from '@tanstack/react-query'
import { createTRPCQueryUtils } from '@trpc/react-query'
import { prefetchHome } from './features/home/prefetch-home.ts'
import { prefetchLeaderboard } from './features/leaderboard/prefetch-leaderboard.ts'
import { prefetchShell } from './features/shell/prefetch-shell.ts'
import { prefetchToken } from './features/tokens/prefetch-token.ts'
import { type cache as Cache, createClient, type TokenId } from './lib/api/api.ts'

/** Placeholder for the id in a URL. The server replaces it, including its quotes, with the number. */
const ID = '$id' as unknown as TokenId

/** The screens whose first requests start before their scripts, with the requests that their route's loader makes. */
const LOADERS: Readonly<Record<string, (cache: typeof Cache) => void>> = {
  '/': (cache) => prefetchHome(cache, {}),
  '/leaderboard': prefetchLeaderboard,
  '/token/$id': (cache) => prefetchToken(cache, ID),
}

/** The URLs of a screen's first requests. */
export interface FirstCalls {
  /** URL for the logged-in player. */
  readonly user: string
  /** URL for everything else, in one batch. */
  readonly batch: string
}

/**
 * Records the first requests of each screen at build time. It runs the loaders with a `fetch` that only records the
 * URLs. A page that preloads them makes exactly the requests that its scripts make later, so each is sent once.
 */
export async function recordFirstCalls(): Promise<Record<string, FirstCalls>> {
  const screens = Object.entries(LOADERS).map(async ([screen, load]) => [screen, await record(load)] as const)
  return Object.fromEntries(await Promise.all(screens))
}

async function record(load: (cache: typeof Cache) => void): Promise<FirstCalls> {
  const sent: string[] = []
  const client = createClient(async (url) => {
    sent.push(String(url))
    throw new Error('The build sends no calls.')
  })
  const cache = createTRPCQueryUtils<AppRouter>({ queryClient: new QueryClient(), client })
  prefetchShell(cache)
  load(cache)
  // The batch link sends all calls from the same task together.
  await new Promise((resolve) => setTimeout(resolve))
  const [user, batch, ...more] = sent
  if (user === undefined || batch === undefined || more.length > 0) {
    throw new Error(`A screen's first calls are its user and one batch, not: ${sent.join(' ')}`)
  }
  return { user, batch: batch.replaceAll(encodeURIComponent('"$id"'), '$id') }
}
