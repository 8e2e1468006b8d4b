import { createRootRouteWithContext } from '@tanstack/react-router'
import { prefetchShell } from '../features/shell/prefetch-shell.ts'
import { Shell } from '../features/shell/shell.tsx'
import type { cache } from '../lib/api/api.ts'

export interface RouterContext {
  readonly cache: typeof cache
}

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({ context }) => prefetchShell(context.cache),
  component: Shell,
})
