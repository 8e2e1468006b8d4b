import { whenIdle } from './when-idle.ts'

/**
 * Registers the service worker, which tells of a missing network, when the page has nothing better to do. A browser that
 * has none (an old one, or plain HTTP from afar), or refuses, plays on without.
 */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const register = () => void navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => {})
  // The scripts begin after the first paint, which may be after the page's own load.
  if (document.readyState === 'complete') whenIdle(register)
  else addEventListener('load', () => whenIdle(register), { once: true })
}
