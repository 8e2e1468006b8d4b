import { createRootRouteWithContext } from '@tanstack/react-router'
import { Shell } from '../features/shell/shell.tsx'
import type { cache } from '../lib/api/api.ts'

export interface RouterContext {
  readonly cache: typeof cache
}

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({ context }) => {
    void context.cache.auth.me.prefetch()
    void context.cache.site.settings.prefetch()
  },
  component: Shell,
})
