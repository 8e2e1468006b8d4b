import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { recordToasts } from './toasts.ts'

/** Max number of browser contexts that stay open for later tests. */
const IDLE_MAX = 4

interface Kept {
  readonly key: string
  /** A page that stays open, so that later pages can use its process, which contains the app's compiled code. */
  readonly keeper: Page
}

/**
 * The browser contexts of a worker. Each context is cleared after a test and reused, or closed if it cannot be cleared.
 */
export class ContextPool {
  readonly #browser: Browser
  readonly #origin: string
  readonly #kept = new Map<BrowserContext, Kept>()
  readonly #idle = new Set<BrowserContext>()

  /** Stores only contexts for this origin, because other servers end together with their test. */
  constructor(browser: Browser, origin: string) {
    this.#browser = browser
    this.#origin = origin
  }

  async take(options: BrowserContextOptions): Promise<BrowserContext> {
    const key = JSON.stringify(options)
    for (const context of this.#idle) {
      if (this.#kept.get(context)?.key !== key) continue
      this.#idle.delete(context)
      return context
    }
    const context = await this.#browser.newContext(options)
    await context.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
        // Report the error as uncaught, because this fails the test.
        reportError(new Error(`the security policy blocked ${effectiveDirective} ${blockedURI} ${sample}`)),
      )
    })
    await recordToasts(context)
    const { baseURL, serviceWorkers, javaScriptEnabled } = options
    if (baseURL !== this.#origin || serviceWorkers !== 'block' || javaScriptEnabled === false) return context
    const keeper = await context.newPage()
    await keeper.goto('/healthz')
    this.#kept.set(context, { key, keeper })
    return context
  }

  /** Clears a context for a later test, or closes it. */
  async giveBack(context: BrowserContext): Promise<void> {
    if (this.#idle.has(context)) return
    const keeper = this.#kept.get(context)?.keeper
    if (keeper === undefined || this.#idle.size === IDLE_MAX || (await hasClock(keeper))) {
      this.#kept.delete(context)
      return await context.close()
    }
    this.#idle.add(context)
    const pages = context.pages().filter((page) => page !== keeper)
    await Promise.all(pages.map((page) => page.close()))
    await Promise.all([context.clearCookies(), keeper.evaluate(() => localStorage.clear())])
  }
}

/** Returns whether a test has installed a clock, which would stay in all later pages of the context. */
async function hasClock(page: Page): Promise<boolean> {
  return await page.evaluate(() => !setTimeout.toString().includes('[native code]'))
}
