import type { cache as Cache } from '../../lib/api/api.ts'

export function prefetchShell(cache: typeof Cache): void {
  void cache.auth.me.prefetch()
  void cache.site.settings.prefetch()
}
