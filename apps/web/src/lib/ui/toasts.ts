import { getSentence, NO_RESPONSE } from '../api/failure.ts'
import { createStore, readStored, store } from './stored.ts'

/** A message that is shown for a few seconds. */
export interface Toast {
  readonly title: string
  readonly message?: string
  /**
   * The kind of toast: `destructive` for failed actions of the player, `loss` for a rugged holding, and `news` for
   * other notifications.
   */
  readonly kind?: 'default' | 'destructive' | 'loss' | 'news'
  /** A link to more information. */
  readonly link?: { readonly label: string; readonly path: string }
}

/** Storage key of a toast that the next page shows. */
export const STORED_TOAST_KEY = 'papermoon-toast'

/** A toast with its number, and its creation time in ms since the page loaded. */
export interface ShownToast {
  readonly toast: Toast
  readonly number: number
  readonly askedAtMs: number
}

const shown = createStore<ShownToast | null>(null)
/** The latest toast. Null if there is none. */
export const { get: latestToast, subscribe: onToast } = shown
let asked = 0

/** How long a failure stays visible before a news toast may replace it, in ms. */
const FAILURE_MS = 2_000

/** Shows a toast, which replaces the current one. */
export function showToast(toast: Toast): void {
  const last = shown.get()
  const isRead = last?.toast.kind !== 'destructive' || performance.now() - last.askedAtMs >= FAILURE_MS
  if (toast.kind === 'news' && !isRead) {
    setTimeout(() => showToast(toast), FAILURE_MS)
    return
  }
  asked += 1
  shown.set({ toast, number: asked, askedAtMs: performance.now() })
}

/** Removes the current toast, before something else opens at the same position. */
export function dismissToast(): void {
  shown.set(null)
}

/** Shows a failure with the error's sentence, or with `fallback` if there is none. */
export function showFailure(title: string, error: unknown, fallback = NO_RESPONSE): void {
  showToast({ title, message: getSentence(error) ?? fallback, kind: 'destructive' })
}

/** Shows the toast that the previous page stored, if there is one, and removes it from storage. */
export function showStoredToast(): void {
  const stored = readStored(STORED_TOAST_KEY, 'sessionStorage')
  if (stored === null) return
  store(STORED_TOAST_KEY, null, 'sessionStorage')
  showToast(JSON.parse(stored) as Toast)
}
