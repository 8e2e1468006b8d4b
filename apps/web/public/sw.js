// The service worker: without a network, a page that says so. It keeps that page and nothing else: hashed files are kept
// by the browser's own cache, and a kept figure would pass for a live one.
const SHELL = ['/offline.html', '/offline.js']
// Named by what the files hold (build/stamp-worker.ts): another shell is another worker with a cache of its own.
const CACHE = 'shell-__SHELL_HASH__'
/** These are the server's own, not screens. */
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

async function keepShell() {
  const cache = await caches.open(CACHE)
  await cache.addAll(SHELL.map((path) => new Request(path, { cache: 'no-cache' })))
  // No page holds anything of the worker before: there is nothing to wait for.
  await skipWaiting()
}

async function takeOver() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))
  // The page is asked for while the worker wakes up.
  await registration.navigationPreload?.enable()
}

/** The server's answer, whatever it says; the offline page, at the address that was asked for, where none comes. */
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
