import type { BrowserContext, Page } from '@playwright/test'

/** A toast that was visible in the window and completely opaque. */
export interface ShownToast {
  /** Title and message of the toast. */
  readonly text: string
  /** The toast's position in the window, in px. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

interface Shown {
  readonly shown: ShownToast[]
  /** Number of toasts that the test has already looked at. */
  passed: number
}

declare global {
  interface Window {
    noteToast?(toast: ShownToast): Promise<void>
  }
}

const records = new WeakMap<Page, Shown>()

/**
 * Records the toasts on a context's pages from now on. Recording is necessary, because a toast disappears after five
 * seconds and a test may look later.
 */
export async function recordToasts(context: BrowserContext): Promise<void> {
  // Store the record here and not in the page, because a reload would delete it.
  await context.exposeBinding('noteToast', ({ page }, toast: ShownToast) => void findRecord(page).shown.push(toast))
  await context.addInitScript(watchToasts)
}

/** Returns the first toast with these texts that comes after the toasts found earlier; null if there is none yet. */
export function takeToast(page: Page, texts: readonly string[]): ShownToast | null {
  const record = findRecord(page)
  const at = record.shown.findIndex(
    ({ text }, index) => index >= record.passed && texts.every((part) => text.includes(part)),
  )
  if (at < 0) return null
  record.passed = at + 1
  return record.shown[at] ?? null
}

/** Returns the texts of all toasts that a page has shown. */
export function listToasts(page: Page): string[] {
  return findRecord(page).shown.map(({ text }) => text)
}

function findRecord(page: Page): Shown {
  const known = records.get(page)
  if (known) return known
  const made = { shown: [], passed: 0 }
  records.set(page, made)
  return made
}

/** Runs in the page. This function uses no timers or animation frames, because a test's clock may have stopped them. */
function watchToasts(): void {
  const noted = new Set<string>()
  // The observer is called in the frame that shows the toast, when its layout is complete.
  const view = new IntersectionObserver((entries) => {
    for (const entry of entries) look(entry)
  })
  const look = ({ target, intersectionRatio, boundingClientRect }: IntersectionObserverEntry) => {
    if (intersectionRatio < 0.9 || target.closest('[aria-hidden=true], [inert]')) return
    const moves = target.getAnimations()
    if (moves.length > 0)
      return void Promise.allSettled(moves.map(({ finished }) => finished)).then(() => again(target))
    if (!target.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return
    const text = (target.textContent ?? '').replaceAll(/\s+/g, ' ')
    // Record each toast only once, because a new toast host may show the same toast again.
    const key = `${target.id} ${text}`
    if (noted.has(key)) return
    noted.add(key)
    const { x, y, width, height } = boundingClientRect
    void window.noteToast?.({ text, box: { x, y, width, height } })
  }
  const again = (target: Element) => {
    view.unobserve(target)
    view.observe(target)
  }
  const changes = new MutationObserver(() => {
    const toasts = document.querySelectorAll('[aria-live=polite] section[aria-label^="Notifications"] [role=group]')
    for (const toast of toasts) {
      changes.observe(toast, { attributes: true, childList: true, characterData: true, subtree: true })
      again(toast)
    }
  })
  changes.observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['aria-hidden', 'inert'],
  })
}
