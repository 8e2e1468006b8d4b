import { cache } from '../api/api.ts'
import { PLAYER_KEY, readStored } from '../ui/stored.ts'
import { registerWorker } from './register-worker.ts'
import { surviveTranslation } from './survive-translation.ts'
import { whenIdle } from './when-idle.ts'

// Guards the page, when it is imported, against what browsers and networks do to it later.
surviveTranslation()
if (import.meta.env.PROD) registerWhenIdle()
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) checkPlayer()
})

/** A page that comes back, from Back for example, may show an account that has signed out since, without a network too. */
function checkPlayer(): void {
  const player = cache.auth.me.getData()?.id
  if (player === undefined || String(player) === readStored(PLAYER_KEY)) return void cache.auth.me.invalidate()
  document.body.hidden = true
  location.reload()
}

/** Registers the service worker, which provides the offline page; nothing where that is refused. */
function registerWhenIdle(): void {
  const register = () => void registerWorker().catch(() => {})
  // The scripts start after the first paint, possibly after the `load` event.
  if (document.readyState === 'complete') whenIdle(register)
  else addEventListener('load', () => whenIdle(register), { once: true })
}
