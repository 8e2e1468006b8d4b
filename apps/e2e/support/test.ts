import { type Browser, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import { ContextPool } from './context-pool.ts'
import { type Player, registerPlayer } from './player.ts'
import { type Server, startServer } from './server.ts'

export { expect } from '@playwright/test'

const SNAPSHOT_MAX_MS = 5_000
const SHOWN_CHARS_MAX = 3_000

/** Options for a page that has its own browser context. */
export interface Visit extends BrowserContextOptions {
  /** The player whose session the page has. If undefined, the visitor is a guest. */
  readonly as?: Player
  /** A colour scheme that the player chose earlier. */
  readonly scheme?: 'dark' | 'light'
  /** The test calls this function before the page opens, for example to intercept its requests. */
  prepare?(page: Page): Promise<unknown>
  /** The state to wait for (default: the page is loaded). */
  readonly waitUntil?: 'commit'
}

interface Fixtures {
  /** A player with a new account. */
  readonly player: Player
  /** A server for this test alone, for empty markets and outages. */
  readonly ownServer: Server
  /**
   * Opens a page in its own browser context. The test fails if a page opened this way logs an error, requests another
   * host, or violates its security policy.
   */
  visit(path: string, visit?: Visit): Promise<Page>
  /** Console errors that this test causes on purpose. */
  readonly expectedErrors: RegExp[]
}

interface WorkerFixtures {
  /** The server that a worker's tests share. */
  readonly server: Server
  readonly contexts: ContextPool
}

/**
 * Matches what a page logs while its server is down: a failed request, an interrupted request, or a socket that cannot
 * connect.
 */
export const SERVER_DOWN = [
  /ERR_CONNECTION_(REFUSED|RESET|CLOSED)/,
  /ERR_EMPTY_RESPONSE/,
  /WebSocket connection to .* failed/,
]

export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the first parameter.
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.remove()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  contexts: [async ({ browser, server }, use) => await use(new ContextPool(browser, server.url)), { scope: 'worker' }],
  ownServer: async ({ browser, contexts }, use) => {
    const server = await startServer()
    await use(server)
    // Close the pages before the server, because they would otherwise log failed requests.
    await closeAll(browser, contexts)
    await server.remove()
  },
  player: async ({ server }, use) => use(await registerPlayer(server.url)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the first parameter.
  expectedErrors: async ({}, use) => use([]),
  visit: async ({ browser, contexts, server, expectedErrors }, use, testInfo) => {
    const faults: string[] = []
    await use(async (path, { as, scheme, prepare, waitUntil, ...options } = {}) => {
      const url = new URL(path, server.url)
      const context = await contexts.take({
        baseURL: url.origin,
        reducedMotion: 'reduce',
        // Device's colour scheme, which the page follows.
        colorScheme: 'dark',
        // Block service workers, because requests through them would bypass `page.route`.
        serviceWorkers: 'block',
        ...options,
      })
      if (as) await context.addCookies([{ ...as.session, url: url.origin, httpOnly: true, sameSite: 'Lax' }])
      const page = await context.newPage()
      // This is the key under which the app stores the colour scheme.
      if (scheme) await page.addInitScript((it) => localStorage.setItem('mantine-color-scheme-value', it), scheme)
      watch(page, url.host, faults)
      await prepare?.(page)
      await page.goto(url.href, waitUntil && { waitUntil })
      return page
    })
    if (testInfo.status !== testInfo.expectedStatus) await printPages(browser, faults)
    await closeAll(browser, contexts)
    expect(faults.filter((fault) => !expectedErrors.some((expected) => expected.test(fault)))).toEqual([])
  },
})

async function closeAll(browser: Browser, pool: ContextPool): Promise<void> {
  const contexts = browser.contexts()
  // Remove the route handlers first, because the test would fail if the page closes while a handler waits for a
  // response.
  const routers = contexts.flatMap((context) => [context, ...context.pages()])
  await Promise.all(routers.map((router) => router.unrouteAll({ behavior: 'ignoreErrors' })))
  await Promise.all(contexts.map((context) => pool.giveBack(context)))
}

/** Prints what the pages of a failed test show, because CI stores only the output. */
async function printPages(browser: Browser, faults: readonly string[]): Promise<void> {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    const shown = await page
      .locator('body')
      .ariaSnapshot({ timeout: SNAPSHOT_MAX_MS })
      .catch((error: unknown) => String(error))
    process.stdout.write(`${page.url()} shows:\n${shown.slice(0, SHOWN_CHARS_MAX)}\n`)
  }
  for (const fault of faults) process.stdout.write(`${fault}\n`)
}

function watch(page: Page, host: string, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(`${page.url()} threw ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${page.url()} logged ${message.text()} (${message.location().url})`)
  })
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (asked.protocol.startsWith('http') && asked.host !== host) faults.push(`${page.url()} asked ${request.url()}`)
  })
}
