import type { BrowserContextOptions, Page } from '@playwright/test'
import { test as base } from '@playwright/test'
import { type MadeMarket, makeMarket } from '../shots/made-market.ts'
import { newAccount, type Player } from '../support/player.ts'
import { BrowserMissingError, type BrowserPage, type PageOptions } from './browsers/browser-page.ts'
import { openChromium } from './browsers/chromium.ts'
import { openFirefox } from './browsers/firefox.ts'
import { openWebKit } from './browsers/webkit.ts'
import { Traveller } from './traveller.ts'

export { expect } from '@playwright/test'

/** Without a default, so that no run takes another browser than the one it was asked for. */
export const BROWSER = readBrowser()
export const PHONE = { width: 375, height: 667 }
export const DESKTOP = { width: 1280, height: 720 }

const SHOWN_CHARS_MAX = 1_500

type Window = typeof PHONE

interface Fixtures {
  /** Opens a page of the chosen browser in a window of this size; a guest's by default. */
  travel(window: Window, as?: Player): Promise<Traveller>
  /** The same in Chromium only, with its page, for what other browsers do not have. */
  travelChromium(
    window: Window,
    as?: Player,
    options?: BrowserContextOptions,
  ): Promise<{ traveller: Traveller; page: Page }>
}

export const test = base.extend<Fixtures, { market: MadeMarket }>({
  market: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the first parameter.
    async ({}, use) => {
      const market = await makeMarket()
      await use(market)
      await market.server.remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  travel: async ({ market, playwright }, use, testInfo) => {
    const opened: BrowserPage[] = []
    const ends: (() => Promise<void>)[] = []
    const open = async (options: PageOptions): Promise<BrowserPage> => {
      if (BROWSER === 'firefox') return await openFirefox(options)
      if (BROWSER === 'webkit') return await openWebKit(options)
      const browser = await playwright.chromium.launch(testInfo.project.use.launchOptions)
      ends.push(() => browser.close())
      return (await openChromium(browser, options)).browserPage
    }
    await use(async (window, as) => {
      try {
        const page = await open({ url: market.server.url, ...window, session: as?.session })
        opened.push(page)
        return new Traveller(page)
      } catch (error) {
        if (!(error instanceof BrowserMissingError)) throw error
        process.stdout.write(`${error.message}\n`)
        test.skip(true, error.message)
        throw error
      }
    })
    // Closed already, unless the journey failed.
    await Promise.all(opened.map((page) => showFailure(page).catch(() => undefined)))
    await Promise.all(opened.map((page) => page.close().catch(() => undefined)))
    for (const end of ends) await end()
  },
  travelChromium: async ({ market, browser }, use) => {
    await use(async (window, as, options) => {
      const { page, browserPage } = await openChromium(
        browser,
        { url: market.server.url, ...window, session: as?.session },
        options,
      )
      return { traveller: new Traveller(browserPage), page }
    })
    await Promise.all(browser.contexts().map((context) => context.close()))
  },
})

function readBrowser(): string {
  const { JOURNEY_BROWSER: browser } = process.env
  if (browser === undefined) throw new Error('JOURNEY_BROWSER is not set: start with npm run journeys')
  return browser
}

/** Prints where a failed journey ended. */
async function showFailure(page: BrowserPage): Promise<void> {
  const [address, text = ''] = await page.run<string[]>(
    'function () { return [location.href, document.body.innerText] }',
  )
  process.stdout.write(`${page.browser} ended at ${address}:\n${text.slice(0, SHOWN_CHARS_MAX)}\n`)
}

/** Brings the trade panel to the front: on a phone it is a sheet behind the bar at the bottom. */
export async function openTrade(traveller: Traveller, side: 'Buy' | 'Sell'): Promise<void> {
  const tab = { role: 'tab', name: new RegExp(`^${side}`) } as const
  const bar = { role: 'button', name: new RegExp(`^${side}`) } as const
  const found = await traveller.findOneOf(tab, bar)
  if (found === bar || side === 'Sell') await traveller.tap(found)
}

/** Fills in the focused registration by keys alone, as a phone's "next" key does: it passes the wallet over. */
export async function register(guest: Traveller): Promise<void> {
  const { username, email, password } = newAccount()
  for (const text of [username, email, password]) {
    await guest.write(text)
    await guest.press('Enter')
  }
  await guest.write(password)
  await guest.film('the form, filled in')
  await guest.press('Enter')
}
