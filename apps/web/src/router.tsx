import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { ErrorScreen, NotFoundScreen } from './components/feedback/error-screen.tsx'
import { HomeScreen } from './features/home/home-screen.tsx'
import { parseListingChoice } from './features/home/listing/listing-choice.ts'
import { prefetchHome } from './features/home/prefetch-home.ts'
import { prefetchLeaderboard } from './features/leaderboard/prefetch-leaderboard.ts'
import { parseSection } from './features/settings/sections.ts'
import { prefetchShell } from './features/shell/prefetch-shell.ts'
import { Shell } from './features/shell/shell.tsx'
import { prefetchToken } from './features/tokens/prefetch-token.ts'
import { cache, type TokenId } from './lib/api/api.ts'
import { FIRST_VIEW_MAX_MS, isFirstViewShown, within } from './lib/boot/first-view-state.ts'
import { idInAddress, parseMoment, parseTokenId, parseUserId } from './lib/format/id-in-address.ts'
import { OVERLAP_MS } from './lib/live/follow.ts'

const root = createRootRouteWithContext<{ readonly cache: typeof cache }>()({
  beforeLoad: ({ context }) => prefetchShell(context.cache),
  component: Shell,
})
const getParentRoute = () => root

/**
 * The raw search parameters. `validateSearch` always returns every key, because the router merges its result over the
 * raw parameters, and a missing key would keep the raw value.
 */
type Search = Record<string, unknown>

/** Adds a screen whose code is loaded when the visitor opens it or is about to open it. */
function addScreen<const Path extends `/${string}`, Module extends Record<string, unknown>>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module,
) {
  return createRoute({ getParentRoute, path, component: lazyRouteComponent(load, name) })
}

/** All routes of the app. */
const routeTree = root.addChildren([
  // Load the home screen at once, because most visitors start there.
  createRoute({
    getParentRoute,
    path: '/',
    validateSearch: parseListingChoice,
    loaderDeps: ({ search: { q, sort, rugged, starred } }) => ({ q, sort, rugged, starred }),
    loader: ({ context, deps }) => prefetchHome(context.cache, deps),
    component: HomeScreen,
  }),
  createRoute({
    getParentRoute,
    path: '/token/$id',
    validateSearch: parseMoment,
    loader: async ({ context, params }) => {
      const id = parseTokenId(params.id)
      if (id === null) return
      prefetchToken(context.cache, id)
      // Wait for the token's data, because a skeleton would otherwise replace the first view, which already shows the
      // token.
      if (isFirstViewShown()) await within(FIRST_VIEW_MAX_MS, context.cache.tokens.get.prefetch({ id }))
    },
    component: lazyRouteComponent(() => import('./features/tokens/token-screen.tsx'), 'TokenScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/user/$id',
    loader: ({ context, params }) => {
      const id = parseUserId(params.id)
      // Fetch older data again, because the live feed covers only events since then.
      if (id !== null) void context.cache.users.profile.prefetch({ id }, { staleTime: OVERLAP_MS })
    },
    component: lazyRouteComponent(() => import('./features/users/user-screen.tsx'), 'UserScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/leaderboard',
    loader: ({ context }) => prefetchLeaderboard(context.cache),
    component: lazyRouteComponent(() => import('./features/leaderboard/leaderboard-screen.tsx'), 'LeaderboardScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/dashboard',
    loader: async ({ context }) => {
      const { prefetchDashboard } = await import('./features/portfolio/prefetch-portfolio.ts')
      void prefetchDashboard(context.cache)
    },
    component: lazyRouteComponent(() => import('./features/portfolio/dashboard-screen.tsx'), 'DashboardScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/portfolio',
    loader: async ({ context }) => {
      const { prefetchPortfolio } = await import('./features/portfolio/prefetch-portfolio.ts')
      void prefetchPortfolio(context.cache)
    },
    component: lazyRouteComponent(() => import('./features/portfolio/portfolio-screen.tsx'), 'PortfolioScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/proof',
    validateSearch: ({ token }: Search): { token?: TokenId | undefined } => ({
      token: parseTokenId(String(token)) ?? undefined,
    }),
    loader: ({ context }) => {
      void context.cache.proof.summary.prefetch(undefined, { staleTime: OVERLAP_MS })
    },
    component: lazyRouteComponent(() => import('./features/proof/proof-screen.tsx'), 'ProofScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/fairs/{-$id}',
    validateSearch: ({ invite, make }: Search): { invite?: string | undefined; make?: 'room' | 'cup' | undefined } => ({
      invite: typeof invite === 'string' ? invite : undefined,
      make: make === 'room' || make === 'cup' ? make : undefined,
    }),
    component: lazyRouteComponent(() => import('./features/fairs/fairs-route.tsx'), 'FairsRoute'),
  }),
  createRoute({
    getParentRoute,
    path: '/launch',
    // `?fair=12` launches a token in a fair.
    validateSearch: ({ fair }: Search): { fair?: number | undefined } => ({
      fair: idInAddress(String(fair)) ?? undefined,
    }),
    component: lazyRouteComponent(() => import('./features/launch/launch-screen.tsx'), 'LaunchScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings',
    validateSearch: parseSection,
    component: lazyRouteComponent(() => import('./features/settings/settings-screen.tsx'), 'SettingsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/reset-password',
    validateSearch: ({ email }: Search): { email?: string | undefined } => ({
      email: typeof email === 'string' && email !== '' ? email : undefined,
    }),
    component: lazyRouteComponent(
      () => import('./features/auth/reset/reset-password-screen.tsx'),
      'ResetPasswordScreen',
    ),
  }),
  addScreen('/admin', () => import('./features/admin/admin-screen.tsx'), 'AdminScreen'),
  addScreen('/auth', () => import('./features/auth/auth-screen.tsx'), 'AuthScreen'),
  addScreen('/developers', () => import('./features/developers/developers-screen.tsx'), 'DevelopersScreen'),
  addScreen('/docs', () => import('./features/docs/docs-screen.tsx'), 'DocsScreen'),
  addScreen('/following', () => import('./features/talk/following-screen.tsx'), 'FollowingScreen'),
  addScreen(
    '/forgot-password',
    () => import('./features/auth/reset/forgot-password-screen.tsx'),
    'ForgotPasswordScreen',
  ),
  addScreen('/tape', () => import('./features/tape/tape-screen.tsx'), 'TapeScreen'),
  addScreen('/verify-email', () => import('./features/auth/verify-email-screen.tsx'), 'VerifyEmailScreen'),
])

/** Creates the router at the page's current URL. */
export function createAppRouter() {
  return createRouter({
    routeTree,
    context: { cache },
    defaultPreload: 'intent',
    // Do not use the router's own cache, because the query cache decides which data is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultNotFoundComponent: NotFoundScreen,
    defaultErrorComponent: ErrorScreen,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
