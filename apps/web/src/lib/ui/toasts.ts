/** A message that stands on the screen for a few seconds. */
export interface Toast {
  readonly title: string
  readonly message?: string
  /** `destructive`: something failed. */
  readonly kind?: 'default' | 'destructive'
}

const KEPT_KEY = 'papermoon-toast'

/** A toast that was asked for: numbered, and when, ms since the epoch. */
export interface AskedToast {
  readonly toast: Toast
  readonly number: number
  readonly askedAtMs: number
}

let shown: AskedToast | null = null
let asked = 0
const listeners = new Set<() => void>()

/** Shows a toast in place of the one that is there: only one stands at a time. */
export function showToast(toast: Toast): void {
  asked += 1
  shown = { toast, number: asked, askedAtMs: Date.now() }
  for (const listener of listeners) listener()
}

/** Takes the toast off the screen: it would lie over what opens now. */
export function dismissToast(): void {
  if (shown === null) return
  shown = null
  for (const listener of listeners) listener()
}

/** Shows a failure: the server's sentence, or `fallback` when it gave none. */
export function showFailure(title: string, sentence: string | null, fallback: string): void {
  showToast({ title, message: sentence ?? fallback, kind: 'destructive' })
}

/** The toast that was asked for last, or null: for the component that draws it. */
export function latestToast(): AskedToast | null {
  return shown
}

/** Calls `listener` for each toast; returns the way to stop. */
export function onToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Keeps a toast for the page that a full-page redirect leads to. */
export function keepToastForNextPage(toast: Toast): void {
  sessionStorage.setItem(KEPT_KEY, JSON.stringify(toast))
}

/** Shows the toast that the page before kept, if any, once. */
export function showKeptToast(): void {
  const kept = sessionStorage.getItem(KEPT_KEY)
  if (kept === null) return
  sessionStorage.removeItem(KEPT_KEY)
  showToast(JSON.parse(kept) as Toast)
}
