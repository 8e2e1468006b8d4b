import { mkdirSync, writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { stopClock } from '../../support/clock.ts'
import { holdCalls } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const RELOADED = 'papermoon-reloaded-to-start'
const NOT_STARTED = 'Papermoon could not load.'
/** Max times for which the first view waits for a response, in ms. */
const FAR_BEFORE_MS = 2_000
const FAR_AFTER_MS = 3_000

test('the first view stays until the user is known, and becomes Loading... after three seconds @nightly', async ({
  visit,
}) => {
  const page = await visit('/docs')
  const answer = await holdCalls(page, /auth\.me/)
  await stopClock(page)
  await page.goto('/')
  await expectStarted(page)

  await page.clock.runFor(FAR_BEFORE_MS)
  await expect(page.getByText('trade like a millionaire')).toBeVisible()
  await expect(page.getByText('Loading...')).toHaveCount(0)
  await page.clock.runFor(FAR_AFTER_MS)
  await expect(page.getByText('Loading...')).toBeVisible()
  await page.clock.resume()
  await answer()
  await expect(page.getByRole('heading', { level: 1, name: 'trade like a millionaire' })).toBeVisible()
})

test('a script that fails to load is loaded by a reload, or reported', async ({ visit, expectedErrors }) => {
  // Errors from the loader have no stack.
  expectedErrors.push(/ERR_FAILED/, /\/docs threw $/)
  const page = await visit('/docs')
  let lost = 0
  await page.route(/\/libraries-/, (route) => {
    lost++
    return lost === 1 ? route.abort() : route.continue()
  })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'The docs' })).toBeVisible()
  // The preload, the page and the service worker request the script, in an order that the browser chooses.
  expect(lost).toBeGreaterThan(1)
  await expect(page.getByRole('alert')).toHaveCount(0)
  // After the reset, the next failure counts as the first failure again.
  await expect.poll(() => page.evaluate((key) => sessionStorage.getItem(key), RELOADED)).toBeNull()

  await page.unrouteAll()
  await page.route(/\/libraries-/, (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('alert')).toContainText(NOT_STARTED)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'The docs' })).toBeVisible()
})

test('where no emoji font is installed, the page loads one for the pictures of tokens, without a preload @nightly', async ({
  playwright,
  launchOptions,
  server,
  player,
}, testInfo) => {
  test.skip(process.platform !== 'linux', 'needs fontconfig, to hide the installed emoji fonts')
  const token = await player.launch({ name: 'Duck', symbol: 'DUCK', emoji: '🦆' })
  const config = testInfo.outputPath('fonts.conf')
  mkdirSync(testInfo.outputDir, { recursive: true })
  const hidden = '<selectfont><rejectfont><glob>*[Ee]moji*</glob></rejectfont></selectfont>'
  writeFileSync(config, `<fontconfig><include>/etc/fonts/fonts.conf</include>${hidden}</fontconfig>`)
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    env: { ...process.env, FONTCONFIG_FILE: config },
  })
  const page = await browser.newPage()
  await page.goto(`${server.url}/token/${token}`)
  await expect(page.getByRole('main').getByText('🦆').first()).toBeVisible()
  const found = await page.evaluate(async () => {
    const faces = [...(await document.fonts.ready)].filter((it) => it.family.includes('Twemoji alone'))
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const fonts = entries.filter((it) => it.name.endsWith('.woff2'))
    return { drawn: faces.map((it) => it.status), causes: fonts.map((it) => it.initiatorType).sort() }
  })
  await browser.close()
  // With a preload, every browser would download the font, even if it does not need it.
  expect(found).toEqual({ drawn: ['loaded'], causes: ['css', 'link', 'link'] })
})

test('without JavaScript the page says on top of everything that it needs it @nightly', async ({ visit }) => {
  const page = await visit('/', { javaScriptEnabled: false })
  const note = page.locator('noscript .page-note')
  await expect(note).toHaveText(/^Papermoon needs JavaScript\./)
  await expect(note).toBeVisible()
  expect((await note.boundingBox())?.y).toBe(0)
})

test('a token’s page names the token before its scripts have run', async ({ visit, player }) => {
  const name = '<b>Early</b> & {symbol}'
  const tokenId = await player.launch({ name, symbol: 'EARLY', emoji: '🚀' })
  const page = await visit('/docs')
  const sendScripts = await holdCalls(page, /\/assets\/index-.*\.js/)
  const answer = await holdCalls(page, /\/trpc\/[^?]*tokens\.get/)
  await stopClock(page)
  await page.goto(`/token/${tokenId}`, { waitUntil: 'commit' })
  const view = page.locator('#root > [inert]')
  await expect(view.locator('h1')).toHaveText(name)
  await expect(view).toContainText('0.0₇3 SOL')
  await expect(view.locator('a, button, input')).toHaveCount(0)
  await sendScripts()
  await expectStarted(page)
  await page.clock.runFor(FAR_BEFORE_MS)
  await expect(view.locator('h1')).toHaveText(name)
  await answer()
  await page.clock.resume()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('home and leaderboard show their banner before their scripts have run @nightly', async ({ visit }) => {
  for (const [path, banner, title] of [
    ['/', 'trade like a millionaire', 'trade like a millionaire'],
    ['/leaderboard', 'Top 3 Winners from Last 6 Hours', 'Leaderboard'],
  ] as const) {
    let sendScripts = async () => {}
    const page = await visit(path, {
      waitUntil: 'commit',
      prepare: async (it) => {
        sendScripts = await holdCalls(it, /\/assets\/index-.*\.js/)
      },
    })
    await expect(page.locator('#root').getByText(banner)).toBeVisible()
    await expect(page.getByRole('heading')).toHaveCount(0)
    expect(await page.locator('#root').locator('a, button, input').count()).toBe(0)
    await sendScripts()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  }
})

/** Waits until the scripts have run and reset the reload counter. */
async function expectStarted(page: Page): Promise<void> {
  await page.evaluate((key) => sessionStorage.setItem(key, 'true'), RELOADED)
  await expect
    .poll(
      async () => {
        await page.clock.runFor(50)
        return await page.evaluate((key) => sessionStorage.getItem(key), RELOADED)
      },
      { intervals: [50] },
    )
    .toBeNull()
}
