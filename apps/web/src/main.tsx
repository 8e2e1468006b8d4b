import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/page-note.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { cache, client, trpc } from './lib/api.ts'
import { markMissingCode } from './lib/missing-code.ts'
import { queryClient } from './lib/query-client.ts'
import { registerWorker } from './lib/register-worker.ts'
import { router } from './router.tsx'

/** A slow line answers within it; whoever waits longer is told that the page is loading. */
const ME_MAX_MS = 3_000

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

markMissingCode()
// The first screen's code and calls start before React does. The view that stands in the page stays until it is known who
// is here, or that nobody can tell: drawing the shell before that would put the loading screen between two banners.
void Promise.all([router.load(), within(ME_MAX_MS, cache.auth.me.prefetch())]).then(() =>
  startTransition(() => createRoot(root).render(<App />)),
)
registerWorker()

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])
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
