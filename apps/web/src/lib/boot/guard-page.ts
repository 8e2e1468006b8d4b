import { cache } from '../api/api.ts'
import { PLAYER_KEY, readStored } from '../ui/stored.ts'
import { registerWorker } from './register-worker.ts'
import { surviveTranslation } from './survive-translation.ts'
import { whenIdle } from './when-idle.ts'

// When imported, this module protects the page against changes that browsers and networks make to it later.
surviveTranslation()
if (import.meta.env.PROD) registerWhenIdle()
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) checkPlayer()
})

/**
 * Checks who is logged in when the browser restores a page, for example after its Back button. The player may have
 * logged out since then, even if there is no network now.
 */
function checkPlayer(): void {
  const player = cache.auth.me.getData()?.id
  if (player === undefined || String(player) === readStored(PLAYER_KEY)) return void cache.auth.me.invalidate()
  document.body.hidden = true
  location.reload()
}

/** Registers the service worker, which provides the offline page. Does nothing if the browser rejects the worker. */
function registerWhenIdle(): void {
  const register = () => void registerWorker().catch(() => {})
  // The scripts may start after the `load` event, because they wait for the first paint.
  if (document.readyState === 'complete') whenIdle(register)
  else addEventListener('load', () => whenIdle(register), { once: true })
}
