const KEY = 'papermoon-reloaded-from'

/**
 * Reloads the page when the server has a newer build, whose chunks have other names. At most once per build, since
 * servers behind one address may run different builds for a while.
 */
export async function reloadIfReplaced(): Promise<void> {
  const entry = document.querySelector<HTMLElement>('script[data-app]')?.dataset.app
  if (entry === undefined) return
  try {
    const answer = await fetch('/', { cache: 'no-cache' })
    if (!answer.ok || (await answer.text()).includes(entry) || sessionStorage.getItem(KEY) === entry) return
    sessionStorage.setItem(KEY, entry)
    location.reload()
  } catch {
    // The server is unreachable, or storage is blocked: do not reload.
  }
}
