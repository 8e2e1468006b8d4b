const KEY = 'papermoon-reloaded-from'

/**
 * Loads the page anew when the server has another build of it by now, whose files have other names: what this page has
 * yet to load is gone. Once for each build, since servers behind one address may differ for a while.
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
    // No server, or no storage to count in: the page stays.
  }
}
