import { whenIdle } from './when-idle.ts'

/**
 * Registers the service worker, which provides the offline page, when the browser is idle. Does nothing where service
 * workers are missing (old browsers, plain HTTP) or refused.
 */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const register = () => void navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => {})
  // The scripts start after the first paint, possibly after the `load` event.
  if (document.readyState === 'complete') whenIdle(register)
  else addEventListener('load', () => whenIdle(register), { once: true })
}
