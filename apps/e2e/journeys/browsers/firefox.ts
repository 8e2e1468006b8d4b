import { existsSync } from 'node:fs'
import puppeteer, { type ElementHandle, type KeyInput } from 'puppeteer-core'
import { BrowserMissingError, type BrowserPage, type PageOptions } from './browser-page.ts'

const PLACES = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox']

/** Opens a page of an installed Firefox. Throws `BrowserMissingError` without one. */
export async function openFirefox({ url, width, height, session }: PageOptions): Promise<BrowserPage> {
  const executablePath = [process.env.FIREFOX_PATH, ...PLACES].find((path) => path && existsSync(path))
  if (!executablePath) throw new BrowserMissingError('Firefox is not installed: apt-get install firefox-esr')
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    protocolTimeout: 60_000,
  })
  const [page = await browser.newPage()] = await browser.pages()
  await page.setViewport({ width, height })
  if (session) await browser.setCookie({ ...session, domain: new URL(url).hostname, httpOnly: true, sameSite: 'Lax' })
  return {
    browser: await browser.version(),
    goto: async (path) => void (await page.goto(new URL(path, url).href)),
    run: async <T>(source: string, ...args: readonly unknown[]) =>
      (await page.evaluate(`(${source})(...${JSON.stringify(args)})`)) as T,
    find: async (source, ...args) => {
      const found = (await page.evaluateHandle(`(${source})(...${JSON.stringify(args)})`)).asElement()
      return found && { click: () => (found as ElementHandle<Element>).click() }
    },
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key as KeyInput),
    takePicture: async () => Buffer.from(await page.screenshot()),
    close: () => browser.close(),
  }
}
