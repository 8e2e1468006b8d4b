import './lib/boot/init-react.ts'
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/kit.css'
import './styles/page-note.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { cache, client, trpc } from './lib/api/api.ts'
import { markMissingCode } from './lib/api/missing-code.ts'
import { queryClient } from './lib/api/query-client.ts'
import { FIRST_VIEW_MAX_MS, within } from './lib/boot/first-view-state.ts'
import { installTrustedTypes } from './lib/boot/trusted-types.ts'
import { sleep } from './lib/boot/when-idle.ts'
import { createAppRouter } from './router.tsx'

installTrustedTypes()
markMissingCode()
// Start a new task, because running the scripts was already a long one.
setTimeout(start)
// Load the protection later, because the page needs it only after it has loaded.
void import('./lib/boot/guard-page.ts')

/**
 * The route's code and requests start before React. The static first view stays until the response to `auth.me` arrives
 * or `FIRST_VIEW_MAX_MS` has passed. If React rendered before they arrived, the loading screen would appear for a
 * moment. Each step is a separate task, because code is slow when it runs for the first time.
 */
async function start(): Promise<void> {
  const user = cache.auth.me.prefetch()
  await sleep(0)
  const router = createAppRouter()
  await sleep(0)
  await Promise.all([router.load(), within(FIRST_VIEW_MAX_MS, user)])
  const root = document.getElementById('root') as HTMLElement
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <trpc.Provider client={client} queryClient={queryClient}>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </trpc.Provider>
      </StrictMode>,
    ),
  )
}
