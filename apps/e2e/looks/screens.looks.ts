import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { changeScheme, expectGoodLooks, windows } from '../support/looks.ts'
import { registerPlayer } from '../support/player.ts'
import { test as base } from '../support/test.ts'
import { ACCOUNT_SCREENS } from './account-screens.ts'
import { type MadeMarket, makeMarket } from './made-market.ts'
import { MARKET_SCREENS } from './market-screens.ts'
import { PICTURES } from './pictures.ts'
import type { Scene, Screen } from './scene.ts'

/** Folder for the pictures. */
const FOLDER = join(import.meta.dirname, '../../../.shots')
const TABLET = { width: 800, height: 1000 }
/** How long to wait for changes without an end event, such as a drawing chart or a counting number, in ms. */
const SETTLE_MS = 700

interface Options {
  /** Whether to take pictures instead of checking the screens. */
  readonly isPicture: boolean
}

const test = base.extend<Options, { market: MadeMarket }>({
  isPicture: [false, { option: true }],
  market: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the first parameter.
    async ({}, use) => {
      const market = await makeMarket()
      await use(market)
      await market.server.remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

for (const [tag, screens] of [
  ['@looks', [...MARKET_SCREENS, ...ACCOUNT_SCREENS]],
  ['@picture', PICTURES],
] as const) {
  for (const screen of screens) {
    for (const [device, viewport] of Object.entries({ ...windows, ...(screen.hasTables && { tablet: TABLET }) })) {
      test(`${screen.name} on a ${device}`, { tag }, async ({ visit, market, expectedErrors, isPicture }) => {
        if (screen.expected) expectedErrors.push(screen.expected)
        const { url } = market.server
        const player = screen.as && screen.as !== 'new' ? market[screen.as] : await registerPlayer(url)
        const open: Scene['open'] = (path, how) => visit(new URL(path, url).href, { viewport, ...how })
        const path = typeof screen.path === 'string' ? screen.path : await screen.path({ market, player })
        const page = await open(screen.before ? '/docs' : path, screen.as && { as: player })
        if (screen.before) {
          await screen.before(page)
          await page.goto(new URL(path, url).href)
        }
        const look: Scene['look'] = async (state, shown = page) => {
          if (!isPicture) return await expectGoodLooks(shown)
          const name = [screen.name, state, device].filter(Boolean).join('-')
          for (const scheme of ['dark', 'light'] as const) {
            await changeScheme(shown, scheme)
            await takePicture(shown, `${name}-${scheme}`, screen)
          }
        }
        // Wait for the complete screen, because the first view from the server is only a part of it.
        await page.waitForFunction(
          () => document.querySelector('#root > *') && !document.querySelector('#root > [inert]'),
        )
        await screen.act?.({ page, device, market, player, look, open })
        await look()
      })
    }
  }
}

/** Takes the picture and checks that the page does not scroll sideways. */
async function takePicture(page: Page, name: string, { isWindow = false }: Screen): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await page.waitForTimeout(SETTLE_MS)
  // Scroll up, so that the sticky bar does not appear in the middle of the picture.
  if (!isWindow) await page.evaluate(() => window.scrollTo(0, 0))
  mkdirSync(FOLDER, { recursive: true })
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: !isWindow })
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(tooWide, 'pixels by which the page is wider than its window').toBe(0)
}
