/** The browser's service workers; null in old browsers, on plain HTTP, and where even asking is forbidden. */
export function findServiceWorkers(): ServiceWorkerContainer | null {
  try {
    // biome-ignore lint/plugin: this is the place that guards it.
    return navigator.serviceWorker ?? null
  } catch {
    return null
  }
}

/** Registers ours, which is the same one if it was registered before. Rejects where the browser blocks storage. */
export async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  return (await findServiceWorkers()?.register('/sw.js', { updateViaCache: 'none' })) ?? null
}
