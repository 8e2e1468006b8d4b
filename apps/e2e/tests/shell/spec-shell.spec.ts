import { randomUUID } from 'node:crypto'
import type { Page, WebSocketRoute } from '@playwright/test'
import { pauseClock, stopClock } from '../../support/clock.ts'
import { registerPlayer } from '../../support/player.ts'
import {
  balanceButton,
  countCalls,
  expectToast,
  findToasts,
  liveIndicator,
  tokenCards,
  tryAgain,
} from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const RECONNECT_MS = 3_000
const phone = { width: 375, height: 812 }

/** The visible links of the navigation. */
function shownLinks(page: Page): Promise<string[]> {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()
}

test('the bar leads a guest everywhere, marks where they are, and opens the community in a new tab', async ({
  visit,
}) => {
  const page = await visit('/')
  const bar = page.getByRole('banner')
  for (const [name, address] of Object.entries({ Leaderboard: '/leaderboard', Docs: '/docs', Explore: '/' })) {
    await bar.getByRole('link', { name }).click()
    await expect(page).toHaveURL(address)
    await expect(bar.locator('nav:visible [aria-current=page]')).toHaveText(name)
  }
  const community = bar.getByRole('link', { name: /^Community/ })
  await expect(community).toHaveAttribute('href', 'https://x.com/')
  await expect(community).toHaveAttribute('target', '_blank')
  await expect(bar.getByRole('link', { name: 'Launch Token' })).toHaveCount(0)
  await bar.getByRole('link', { name: 'Login / Register' }).click()
  await expect(page).toHaveURL('/auth')
})

test('on a phone the links stand in a row of their own, without launch and balance', async ({ visit, player }) => {
  const wide = await visit('/docs', { as: player })
  await expect(wide.getByRole('banner').getByRole('link', { name: 'Launch Token' })).toBeVisible()
  await expect(balanceButton(wide)).toContainText('100.00')
  await expect(wide.getByRole('banner').getByRole('link', { name: /^Community/ })).toBeVisible()
  const links = await shownLinks(wide)
  expect(links).toHaveLength(4)

  const page = await visit('/docs', { as: player, viewport: phone })
  const row = page.getByRole('navigation', { name: 'Main' })
  await expect(row).toHaveCount(1)
  await expect(row.getByRole('link', { name: /^Community/ })).toBeVisible()
  expect(await shownLinks(page)).toEqual(links)
  await expect(row.getByRole('button')).toHaveCount(0)
})

test('a guest is called Guest and has no SOL; a player has a name and a balance in that place', async ({
  visit,
  player,
}) => {
  const page = await visit('/docs')
  await expect(page.getByRole('banner').getByText('Guest 0.00 SOL')).toBeVisible()
  const signedIn = await visit('/docs', { as: player })
  await expect(balanceButton(signedIn)).toContainText('100.00')
  await expect(signedIn.getByRole('banner').getByText('Guest')).toHaveCount(0)
})

test('Loading... is shown until the user is known', async ({ visit }) => {
  const page = await visit('/docs')
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(/auth\.me/, async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  await expect(page.getByText('Loading...')).toBeVisible()
  await expect(page.getByRole('main')).toHaveCount(0)
  letGo()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('the user is fetched once per page, before its scripts run', async ({ visit, player }) => {
  const page = await visit('/docs', { as: player })
  const calls = countCalls(page)
  await page.reload()
  await expect(balanceButton(page)).toContainText('100.00')
  const initiators = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/trpc/auth.me'))
      .map((entry) => (entry as PerformanceResourceTiming).initiatorType),
  )
  expect(initiators[0]).toBe('link')
  // A preload that did not match the call would cause a second request.
  expect(calls.filter((path) => path === '/trpc/auth.me')).toHaveLength(1)
})

test('a failure to fetch the user is reported, and retried', async ({ visit, expectedErrors }) => {
  expectedErrors.push(/ERR_FAILED/)
  const page = await visit('/docs')
  await page.route(/auth\.me/, (route) => route.abort())
  await page.reload()
  await expect(page.getByText('Failed to fetch user')).toBeVisible()
  await page.unrouteAll()
  await tryAgain(page, page.getByRole('heading', { level: 1, name: 'The docs' }))
})

test('an account’s warning is shown across the top of every screen', async ({ visit, ownServer }) => {
  const player = await registerPlayer(ownServer.url)
  const warning = 'Please stop printing tickets.'
  await ownServer.rewrite(async ({ pool }) => {
    await pool.query('update users set warning = $1 where username = $2', [warning, player.username])
  })
  const page = await visit(`${ownServer.url}/docs`, { as: player })
  await expect(page.getByText(warning)).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: 'Leaderboard' }).click()
  await expect(page.getByText(warning)).toBeVisible()
})

test('a logout that fails is only logged', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/Logout failed/, /ERR_FAILED/)
  const page = await visit('/docs', { as: player })
  await page.route(/auth\.logout/, (route) => route.abort())
  await balanceButton(page).click()
  const logged = page.waitForEvent('console', (message) => message.text().includes('Logout failed'))
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await logged
  await expect(page).toHaveURL('/docs')
  await expect(page.getByRole('region', { name: /Notifications/ }).getByText('Logout')).toHaveCount(0)
})

test('a live connection that closes says Offline, and comes back 3 seconds later', async ({ visit }) => {
  const page = await visit('/docs')
  await page.clock.install()
  const closers: (() => Promise<void>)[] = []
  await page.routeWebSocket(/\/trpc/, (socket) => {
    const server = socket.connectToServer()
    closers.push(async () => {
      await socket.close()
      await server.close()
    })
  })
  await page.reload()
  await expect(liveIndicator(page)).toHaveText('Live')
  await pauseClock(page)
  const before = closers.length
  await closers.at(-1)?.()
  await expect(liveIndicator(page)).toHaveText('Offline')
  await page.clock.runFor(RECONNECT_MS - 500)
  expect(closers.length).toBe(before)
  await page.clock.runFor(600)
  await expect.poll(() => closers.length).toBe(before + 1)
  await expect(liveIndicator(page)).toHaveText('Live')
})

test('a live message that cannot be read is only logged', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/threw SyntaxError/)
  const page = await visit('/docs')
  const sockets: WebSocketRoute[] = []
  await page.routeWebSocket(/\/trpc/, (socket) => {
    socket.connectToServer()
    sockets.push(socket)
  })
  await page.goto('/')
  await expect(liveIndicator(page)).toHaveText('Live')
  const logged = page.waitForEvent('pageerror')
  sockets.at(-1)?.send('{"half')
  await logged
  const name = `Torn ${randomUUID().slice(0, 6)}`
  await player.launch({ name, symbol: 'TORN' })
  await expect(tokenCards(page).filter({ hasText: name })).toBeVisible()
  await expect(liveIndicator(page)).toHaveText('Live')
  await expect(page.getByRole('region', { name: /Notifications/ }).getByRole('alert')).toHaveCount(0)
})

test('a page that gets the focus back asks for nothing, and a call that failed is not repeated', async ({
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
  // The home page's idle calls come after that.
  await expect.poll(() => calls.filter((path) => path.includes('tokens.tape')).length).toBe(1)
  expect(calls.filter((path) => path.includes('tokens.list'))).toHaveLength(1)
  expect(calls.filter((path) => !/tokens\.(list|tape|movers)/.test(path))).toEqual([])
})

test('one toast is shown at a time, for 5 seconds', async ({ visit, player }) => {
  const page = await visit('/launch', { as: player })
  await expect(liveIndicator(page)).toHaveText('Live')
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
})

test('F8 leads to the notification, and a swipe of 50 pixels to the right dismisses it', async ({ visit, player }) => {
  const page = await visit('/launch', { as: player })
  await expect(liveIndicator(page)).toHaveText('Live')
  // The notification disappears by itself when its time is over, which does not pass.
  await stopClock(page)
  await page.getByRole('main').getByRole('button', { name: 'Launch Token' }).click()
  const toast = page.getByRole('alert').filter({ hasText: 'Missing Information' })
  await expect(toast).toBeVisible()
  await page.keyboard.press('F8')
  await expect(toast).toBeFocused()
  await swipe(page, 49)
  await expect(toast).toBeVisible()
  await swipe(page, 50)
  await page.clock.runFor(500)
  await expect(toast).toHaveCount(0)
})

/** Drags the toast to the right. */
async function swipe(page: Page, pixels: number): Promise<void> {
  const box = await page.getByRole('alert').filter({ hasText: 'Missing Information' }).boundingBox()
  if (box === null) throw new Error('no toast to swipe')
  const [x, y] = [Math.round(box.x) + 60, Math.round(box.y + box.height / 2)]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + pixels, y, { steps: 4 })
  await page.mouse.up()
}
