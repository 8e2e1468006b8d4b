import { getSentence, NO_RESPONSE } from '../api/failure.ts'
import { readStored, store } from './stored.ts'

/** A short message that is shown for a few seconds. */
export interface Toast {
  readonly title: string
  readonly message?: string
  /** `destructive` for the player's own failed actions, `loss` for a rugged holding, `news` for other notices. */
  readonly kind?: 'default' | 'destructive' | 'loss' | 'news'
  /** A link to more information. */
  readonly link?: { readonly label: string; readonly path: string }
}

/** Storage key under which a page stores a toast for the next page. */
export const STORED_TOAST_KEY = 'papermoon-toast'

/** A toast with its number and creation time, in ms since the page loaded. */
export interface ShownToast {
  readonly toast: Toast
  readonly number: number
  readonly askedAtMs: number
}

let shown: ShownToast | null = null
let asked = 0
const listeners = new Set<() => void>()

/** How long a failure stays readable before a news toast replaces it, ms. */
const FAILURE_MS = 2_000

/** Shows a toast and replaces the current one. */
export function showToast(toast: Toast): void {
  const isRead = shown?.toast.kind !== 'destructive' || performance.now() - shown.askedAtMs >= FAILURE_MS
  if (toast.kind === 'news' && !isRead) {
    setTimeout(() => showToast(toast), FAILURE_MS)
    return
  }
  asked += 1
  shown = { toast, number: asked, askedAtMs: performance.now() }
  for (const listener of listeners) listener()
}

/** Removes the current toast before something opens at the same position. */
export function dismissToast(): void {
  if (shown === null) return
  shown = null
  for (const listener of listeners) listener()
}

/** Shows a failure with the error's sentence, or otherwise with `fallback`. */
export function showFailure(title: string, error: unknown, fallback = NO_RESPONSE): void {
  showToast({ title, message: getSentence(error) ?? fallback, kind: 'destructive' })
}

/** Returns the most recent toast for the host component, or null. */
export function latestToast(): ShownToast | null {
  return shown
}

/** Calls `listener` for each toast. Returns a function that stops it. */
export function onToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows and removes the toast stored by the previous page, if any. */
export function showStoredToast(): void {
  const stored = readStored(STORED_TOAST_KEY, 'sessionStorage')
  if (stored === null) return
  store(STORED_TOAST_KEY, null, 'sessionStorage')
  showToast(JSON.parse(stored) as Toast)
}
