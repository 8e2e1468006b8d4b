import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { client, trpc } from './lib/api.ts'
import { markMissingCode } from './lib/missing-code.ts'
import { queryClient } from './lib/query-client.ts'
import { registerWorker } from './lib/register-worker.ts'
import { router } from './router.tsx'
import { theme } from './theme.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

markMissingCode()
// The first screen's code and calls start before React does.
void router.load().then(() => startTransition(() => createRoot(root).render(<App />)))
registerWorker()

function App() {
  return (
    <StrictMode>
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <MantineProvider theme={theme} defaultColorScheme="dark">
            <RouterProvider router={router} />
          </MantineProvider>
        </QueryClientProvider>
      </trpc.Provider>
    </StrictMode>
  )
}
