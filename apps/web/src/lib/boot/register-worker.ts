/**
 * Returns the browser's API for service workers. Returns null in old browsers, over plain HTTP, and if the browser
 * forbids access.
 */
export function findServiceWorkers(): ServiceWorkerContainer | null {
  try {
    // biome-ignore lint/plugin: this is the place that guards it.
    return navigator.serviceWorker ?? null
  } catch {
    return null
  }
}

/** Registers the service worker, or returns the existing registration. Rejects if the browser blocks storage. */
export async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  return (await findServiceWorkers()?.register('/sw.js', { updateViaCache: 'none' })) ?? null
}
