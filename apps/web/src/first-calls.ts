import type { AppRouter } from '@papermoon/contract/router'
import { QueryClient } from '@tanstack/react-query'
import { createTRPCQueryUtils } from '@trpc/react-query'
import { prefetchHome } from './features/home/prefetch-home.ts'
import { prefetchLeaderboard } from './features/leaderboard/prefetch-leaderboard.ts'
import { prefetchShell } from './features/shell/prefetch-shell.ts'
import { prefetchToken } from './features/tokens/prefetch-token.ts'
import { type cache as Cache, createClient, type TokenId } from './lib/api/api.ts'

/** A placeholder for the id in a URL. The server replaces it, including its quotes, with the number. */
const ID = '$id' as unknown as TokenId

/** Screens whose first requests start before their scripts run, and the loader of each screen's route. */
const LOADERS: Readonly<Record<string, (cache: typeof Cache) => void>> = {
  '/': (cache) => prefetchHome(cache, {}),
  '/leaderboard': prefetchLeaderboard,
  '/token/$id': (cache) => prefetchToken(cache, ID),
}

/** URLs of the first requests of a screen. */
export interface FirstCalls {
  /** The URL that returns the logged-in player. */
  readonly user: string
  /** The URL of a single batch with all other requests. */
  readonly batch: string
}

/**
 * Records the first requests of each screen at build time, so that a page can preload them. Runs the loaders with a
 * `fetch` that only records the URLs. The page's scripts later make exactly these requests, so each is sent only once.
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
