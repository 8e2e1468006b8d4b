import { createRouter } from '@tanstack/react-router'
import { ErrorScreen, NotFoundScreen } from './components/feedback/error-screen.tsx'
import { cache } from './lib/api/api.ts'
import { routeTree } from './routeTree.gen.ts'

export type AppRouter = ReturnType<typeof createAppRouter>

/** Creates the router at the page's address. */
export function createAppRouter() {
  const router = createRouter({
    routeTree,
    context: { cache },
    defaultPreload: 'intent',
    // The query cache decides what is fresh, not the router.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultNotFoundComponent: NotFoundScreen,
    defaultErrorComponent: ErrorScreen,
  })
  // The server renders the canonical URL into the page's head. Phones share that URL, so update it on navigation.
  router.subscribe('onResolved', () => {
    const { origin, pathname } = window.location
    document.head.querySelector('link[rel="canonical"]')?.setAttribute('href', `${origin}${pathname}`)
  })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
