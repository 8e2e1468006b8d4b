import { randomUUID } from 'node:crypto'
import type { Page, WebSocketRoute } from '@playwright/test'
import { pauseClock, stopClock } from '../../support/clock.ts'
import {
  balanceButton,
  countCalls,
  expectToast,
  findToasts,
  liveIndicator,
  tokenCards,
  tryAgain,
} from '../../support/screen.ts'
import { startServer } from '../../support/server.ts'
import { expect, test } from '../../support/test.ts'

const RECONNECT_MS = 3_000
const phone = { width: 375, height: 812 }

/** Returns the visible links of the navigation. */
function shownLinks(page: Page): Promise<string[]> {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()
}

test('the bar leads a guest everywhere, and marks the current page', async ({ visit }) => {
  const page = await visit('/')
  const bar = page.getByRole('banner')
  await expect(bar.getByText('Guest 0.00 SOL')).toBeVisible()
  for (const [name, address] of Object.entries({
    Fairs: '/fairs',
    Tape: '/tape',
    Leaderboard: '/leaderboard',
    Docs: '/docs',
    Explore: '/',
  })) {
    await bar.getByRole('link', { name }).click()
    await expect(page).toHaveURL(address)
    await expect(bar.locator('nav:visible [aria-current=page]')).toHaveText(name)
  }
  const community = bar.getByRole('link', { name: /^Community/ })
  await expect(community).toHaveAttribute('href', 'https://x.com/papermoon')
  await expect(community).toHaveAttribute('target', '_blank')
  await expect(bar.getByRole('link', { name: 'Launch Token' })).toHaveCount(0)
  await bar.getByRole('link', { name: 'Login / Register' }).click()
  await expect(page).toHaveURL('/auth')
})

test('where the operator has set no community, its link opens the docs in a new tab @nightly', async ({ visit }) => {
  const server = await startServer({ COMMUNITY_URL: '' })
  try {
    const page = await visit(server.url)
    const community = page.getByRole('banner').getByRole('link', { name: 'Community (opens in a new tab)' })
    await expect(community).toHaveAttribute('rel', /noopener/)
    const opened = page.context().waitForEvent('page')
    await community.click()
    const docs = await opened
    await expect(docs).toHaveURL('/docs#community')
    await expect(docs.getByRole('heading', { name: 'Community' })).toBeInViewport()
    await expect(docs.getByRole('link', { name: /community chat/ })).toHaveCount(0)
    await docs.close()
    await page.close()
  } finally {
    await server.remove()
  }
})

test('a player has a balance in the bar, and a row of links on phones', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/Logout failed/, /ERR_FAILED/)
  const page = await visit('/docs', { as: player })
  const bar = page.getByRole('banner')
  await expect(bar.getByRole('link', { name: 'Launch Token' })).toBeVisible()
  await expect(balanceButton(page)).toContainText('100.00')
  await expect(bar.getByText('Guest')).toHaveCount(0)
  await expect(bar.getByRole('link', { name: /^Community/ })).toBeVisible()
  const links = await shownLinks(page)
  expect(links).toHaveLength(6)

  await page.route(/auth\.logout/, (route) => route.abort())
  await balanceButton(page).click()
  const logged = page.waitForEvent('console', (message) => message.text().includes('Logout failed'))
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await logged
  await expect(page).toHaveURL('/docs')
  await expect(page.getByRole('region', { name: /Notifications/ }).getByText('Logout')).toHaveCount(0)

  await page.setViewportSize(phone)
  const row = page.getByRole('navigation', { name: 'Main' })
  await expect(row).toHaveCount(1)
  await expect(row.getByRole('link', { name: /^Community/ })).toBeVisible()
  // There is no space for the arrow.
  expect(await shownLinks(page)).toEqual(links.map((name) => name.replace('\n↗', '')))
  await expect(row.getByRole('button')).toHaveCount(0)
})

test('a failure to fetch the user is reported, and retried', async ({ visit, expectedErrors }) => {
  expectedErrors.push(/ERR_FAILED/)
  const page = await visit('/docs', { prepare: (it) => it.route(/auth\.me/, (route) => route.abort()) })
  await expect(page.getByText('Failed to fetch user')).toBeVisible()
  await page.unrouteAll()
  await tryAgain(page, page.getByRole('heading', { level: 1, name: 'The docs' }))
})

test('the bar says Offline when the connection closes, which reconnects after 3 seconds', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/threw SyntaxError/)
  const sockets: { page: WebSocketRoute; close(): Promise<void> }[] = []
  const page = await visit('/', {
    prepare: async (it) => {
      await it.clock.install()
      await it.routeWebSocket(/\/trpc/, (socket) => {
        const server = socket.connectToServer()
        const close = async () => {
          await socket.close()
          await server.close()
        }
        sockets.push({ page: socket, close })
      })
    },
  })
  await expect(liveIndicator(page)).toHaveText('Live')
  const logged = page.waitForEvent('pageerror')
  sockets.at(-1)?.page.send('{"half')
  await logged
  const name = `Torn ${randomUUID().slice(0, 6)}`
  await player.launch({ name, symbol: 'TORN' })
  await expect(tokenCards(page).filter({ hasText: name })).toBeVisible()
  await expect(liveIndicator(page)).toHaveText('Live')
  await expect(findToasts(page)).toHaveCount(0)

  await pauseClock(page)
  const before = sockets.length
  await sockets.at(-1)?.close()
  await expect(liveIndicator(page)).toHaveText('Offline')
  await page.clock.runFor(RECONNECT_MS - 500)
  expect(sockets.length).toBe(before)
  await page.clock.runFor(600)
  await expect.poll(() => sockets.length).toBe(before + 1)
  await expect(liveIndicator(page)).toHaveText('Live')
})

test('a page that gets the focus again sends no requests, and repeats no failed one', async ({
  visit,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/)
  const page = await visit('/docs')
  await expect(liveIndicator(page)).toHaveText('Live')
  const calls = countCalls(page)
  await page.evaluate(() => {
    window.dispatchEvent(new Event('focus'))
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await page.route(/tokens\.list/, (route) => route.abort())
  await page.getByRole('link', { name: 'Explore' }).first().click()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  // The home page sends its idle requests afterwards.
  await expect.poll(() => calls.filter((path) => path.includes('tokens.tape')).length).toBe(1)
  expect(calls.filter((path) => path.includes('tokens.list'))).toHaveLength(1)
  expect(calls.filter((path) => !/tokens\.(list|tape|movers)|tape\.today|fairs\.list/.test(path))).toEqual([])
})

test('one toast is shown for 5 seconds, and can be reached and dismissed', async ({ visit, player }) => {
  const page = await visit('/launch', { as: player })
  await expect(liveIndicator(page)).toHaveText('Live')
  const [shortcuts, dialog] = [
    page.getByRole('button', { name: 'Keyboard shortcuts' }),
    page.getByRole('dialog', { name: 'Keyboard shortcuts' }),
  ]
  // Load the dialog's code before the clock stops.
  await shortcuts.click()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await stopClock(page)
  const launch = page.getByRole('main').getByRole('button', { name: 'Launch Token' })
  await launch.click()
  await expectToast(page, 'Missing Information', 'Please provide token name and symbol')
  await launch.click()
  await expectToast(page, 'Missing Information', 'Please provide token name and symbol')
  await page.clock.runFor(4_500)
  await expect(findToasts(page)).toContainText(['Please provide token name and symbol'])
  await page.clock.runFor(1_500)
  await expect(page.getByText('Missing Information')).toHaveCount(0)

  await launch.click()
  const toast = findToasts(page).filter({ hasText: 'Missing Information' })
  await expect(toast).toBeVisible()
  await page.keyboard.press('F8')
  await expect(toast).toBeFocused()
  await swipe(page, 49)
  await expect(toast).toBeVisible()
  await swipe(page, 50)
  await page.clock.runFor(500)
  await expect(toast).toHaveCount(0)

  await launch.click()
  await expect(toast).toBeVisible()
  await shortcuts.click()
  await expect(dialog).toBeVisible()
  await expect(toast).toHaveCount(0)
  await page.clock.resume()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await launch.click()
  await expectToast(page, 'Missing Information', 'Please provide token name and symbol')
})

/** Drags the toast to the right. */
async function swipe(page: Page, pixels: number): Promise<void> {
  const box = await findToasts(page).filter({ hasText: 'Missing Information' }).boundingBox()
  if (box === null) throw new Error('no toast to swipe')
  const [x, y] = [Math.round(box.x) + 60, Math.round(box.y + box.height / 2)]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + pixels, y, { steps: 4 })
  await page.mouse.up()
}
