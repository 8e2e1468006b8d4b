import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/page-note.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { cache, client, trpc } from './lib/api/api.ts'
import { markMissingCode } from './lib/api/missing-code.ts'
import { queryClient } from './lib/api/query-client.ts'
import { within } from './lib/api/within.ts'
import { FIRST_VIEW_MAX_MS } from './lib/boot/first-view-state.ts'
import { registerWorker } from './lib/boot/register-worker.ts'
import { installTrustedTypes } from './lib/boot/trusted-types.ts'
import { router } from './router.tsx'

const root = rootOf(document)

installTrustedTypes()
markMissingCode()
// In a task of its own: evaluating the scripts has held the browser up for long enough.
setTimeout(start)
registerWorker()

/**
 * The first screen's code and calls start before React does. The view that stands in the page stays until it is known who
 * is here, or that nobody can tell: drawing the shell before that would put the loading screen between two banners.
 */
async function start(): Promise<void> {
  await Promise.all([router.load(), within(FIRST_VIEW_MAX_MS, cache.auth.me.prefetch())])
  startTransition(() => createRoot(root).render(<App />))
}

function App() {
  return (
    <StrictMode>
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </trpc.Provider>
    </StrictMode>
  )
}

function rootOf(page: Document): HTMLElement {
  const found = page.getElementById('root')
  if (found === null) throw new Error('index.html has no #root')
  return found
}
