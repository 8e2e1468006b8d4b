const KEY = 'papermoon-player'

/**
 * Marks the page as a player's or a guest's for its styles, and remembers that for the next page, which draws its first
 * view before it knows who visits.
 */
export function markPlayer(isSignedIn: boolean): void {
  document.documentElement.toggleAttribute('data-player', isSignedIn)
  try {
    if (isSignedIn) localStorage.setItem(KEY, 'yes')
    else localStorage.removeItem(KEY)
  } catch {
    // Storage is blocked: the first view is a guest's.
  }
}
