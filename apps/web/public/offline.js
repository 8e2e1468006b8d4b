// Reloads the requested page as soon as the server responds.
const EVERY_MS = 3_000

try {
  const chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto'
  const isLight = chosen === 'light' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: light)').matches)
  if (isLight) {
    document.documentElement.dataset.scheme = 'light'
    document.querySelector('meta[name="theme-color"]').content = '#f4ecdc'
  }
} catch {
  // Storage is blocked, so keep the dark scheme.
}

async function comeBack() {
  try {
    const answer = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(EVERY_MS) })
    if (answer.ok) location.reload()
  } catch {
    // The server is still unreachable.
  }
}

function tell() {
  // The browser is online, so show the text about the server.
  document.documentElement.dataset.away = String(navigator.onLine)
}

tell()
addEventListener('offline', tell)
addEventListener('online', () => {
  tell()
  void comeBack()
})
addEventListener('click', ({ target }) => target.closest('button') && location.reload())
setInterval(() => void comeBack(), EVERY_MS)
