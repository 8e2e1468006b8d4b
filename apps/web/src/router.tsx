import { createRouter } from '@tanstack/react-router'
import { ErrorScreen, NotFoundScreen } from './components/feedback/error-screen.tsx'
import { cache } from './lib/api/api.ts'
import { routeTree } from './routeTree.gen.ts'

/** Creates the router at the page's address. */
export function createAppRouter() {
  return createRouter({
    routeTree,
    context: { cache },
    defaultPreload: 'intent',
    // The query cache decides what is fresh, not the router.
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
