import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import type { BrowserPage, PageOptions } from './browser-page.ts'

/** Phones are narrower. */
const PHONE_MAX = 480

/** Opens a page of Playwright's browser; `more` are options of its context. */
export async function openChromium(
  browser: Browser,
  { url, width, height, session }: PageOptions,
  more: BrowserContextOptions = {},
): Promise<{ page: Page; browserPage: BrowserPage }> {
  const isPhone = width <= PHONE_MAX
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    hasTouch: isPhone,
    isMobile: isPhone,
    ...more,
  })
  if (session) await context.addCookies([{ ...session, url, httpOnly: true, sameSite: 'Lax' }])
  const page = await context.newPage()
  const browserPage: BrowserPage = {
    browser: `Chromium ${browser.version()}`,
    goto: async (path) => void (await page.goto(path)),
    run: (source, ...args) => page.evaluate(`(${source})(...${JSON.stringify(args)})`),
    find: async (source, ...args) => {
      const found = await page.evaluateHandle<Element | null>(`(${source})(...${JSON.stringify(args)})`)
      const handle = found.asElement()
      return handle && { click: () => (isPhone ? handle.tap() : handle.click()) }
    },
    type: (text) => page.keyboard.insertText(text),
    press: (key) => page.keyboard.press(key),
    takePicture: () => page.screenshot(),
    close: () => context.close(),
  }
  return { page, browserPage }
}
