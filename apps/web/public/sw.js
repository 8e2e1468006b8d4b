// The service worker serves an offline page when a navigation fails, and shows push messages. It caches nothing else,
// because hashed assets are in the browser's HTTP cache, and cached values could be mistaken for live ones.
const SHELL = ['/offline.html', '/offline.js']
// Includes a hash of the shell's files (build/written-files.ts), so that each shell has its own cache.
const CACHE = 'shell-__SHELL_HASH__'
/** Paths that are not screens, because the server responds to them itself. */
const SERVERS = /^\/(api|trpc|ws|objects|healthz|readyz|metrics)(\/|$)/

addEventListener('install', (event) => {
  event.waitUntil(keepShell())
})

addEventListener('activate', (event) => {
  event.waitUntil(takeOver())
})

addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url)
  if (origin !== location.origin || event.request.method !== 'GET' || SERVERS.test(pathname)) return
  if (event.request.mode === 'navigate') event.respondWith(screen(event))
  else if (SHELL.includes(pathname)) event.respondWith(kept(pathname))
})

addEventListener('push', (event) => {
  event.waitUntil(showMessage(event.data?.json()))
})

addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(subscribeAgain(event))
})

addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data?.path))
})

async function keepShell() {
  const cache = await caches.open(CACHE)
  await cache.addAll(SHELL.map((path) => new Request(path, { cache: 'no-cache' })))
  // No page depends on the previous worker, so there is no need to wait.
  await skipWaiting()
}

async function takeOver() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))
  // Starts the navigation request while the worker boots.
  await registration.navigationPreload?.enable()
}

/** Returns the server's response, whatever its status, or the offline page if there is none. */
async function screen(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return await kept('/offline.html')
  }
}

async function kept(path) {
  return (await caches.match(path)) ?? Response.error()
}

/** A message that arrives twice has the same tag, so it is shown once. */
async function showMessage(message) {
  if (message === undefined) return
  const { id, title, body, path } = message
  const icon = '/icons/moon-192.png'
  await registration.showNotification(title, { body, tag: `notice-${id}`, icon, badge: icon, data: { path } })
}

/**
 * Sends the server the device's new push URL, because browsers sometimes replace it. It belongs to the logged-in
 * player.
 */
async function subscribeAgain({ oldSubscription, newSubscription }) {
  const options = oldSubscription?.options
  const made = newSubscription ?? (options && (await registration.pushManager.subscribe(options)))
  if (oldSubscription) await post('/api/push/unsubscribe', { endpoint: oldSubscription.endpoint })
  if (!made) return
  const { endpoint, keys } = made.toJSON()
  await post('/api/push/subscribe', { endpoint, ...keys })
}

function post(path, body) {
  return fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

/** Opens the message's page in an open window, or in a new one. Opens only paths of this site. */
async function openPage(path) {
  const url = new URL(path ?? '/', location.origin)
  if (url.origin !== location.origin) return
  const windows = await clients.matchAll({ type: 'window' })
  const [open] = windows
  if (open === undefined) return await clients.openWindow(url.href)
  const shown = await open.focus()
  await shown.navigate(url.href)
}
