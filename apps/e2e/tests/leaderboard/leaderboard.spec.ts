import type { Page, Request } from '@playwright/test'
import { sellAll } from '../../support/holdings.ts'
import { registerPlayer } from '../../support/player.ts'
import { liveIndicator, themeColor } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const POLL_MS = 30_000
/** Min time between refetches of the leaderboard, in ms, because a busy market has many trades. */
const NEWS_EVERY_MS = 5_000

const places = (page: Page) => page.getByRole('main').getByRole('listitem').filter({ hasText: 'medal, rank' })

test('winners are ranked by profit, with wallet and trades', async ({ visit, ownServer }) => {
  const { url } = ownServer
  const page = await visit(`${url}/leaderboard`)
  await expect(page).toHaveTitle(/^Leaderboard/)
  await expect(page.getByRole('heading', { level: 1, name: 'Leaderboard' })).toBeVisible()
  await expect(page.getByText('Top 3 Winners from Last 6 Hours')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No Winners Yet' })).toBeVisible()
  await expect(page.getByText('Be the first to make profitable trades in the last 6 hours!')).toBeVisible()
  await expect(page.getByText('Winners are updated every 30 seconds')).toBeVisible()
  await expect(page.getByText('Rankings are based on total PnL from trades in the last 6 hours')).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Leaderboard' }).first()).toHaveAttribute(
    'aria-current',
    'page',
  )
  await expect(page.getByRole('link', { name: 'Find a token to trade' })).toHaveAttribute('href', '/')

  const register = () => registerPlayer(url)
  const [first, second, third, whale] = await Promise.all([register(), register(), register(), register()])
  await page.goto('about:blank')
  // Restart the server, because it keeps the empty leaderboard for 30 seconds.
  await ownServer.rewrite(async ({ db }) => {
    await db.updateTable('users').set({ wallet: 'None' }).where('username', '=', second.username).execute()
  })
  const tokenId = await whale.launch({ name: 'Pump', symbol: 'PUMP' })
  await first.buy(tokenId, '5')
  await second.buy(tokenId, '1')
  await third.buy(tokenId, '0.1')
  await whale.buy(tokenId, '50')
  await sellAll(first, tokenId)
  await sellAll(second, tokenId)
  await sellAll(third, tokenId)

  await page.goto(`${url}/leaderboard`)
  await expect(places(page)).toHaveCount(3)
  await expect(places(page).nth(0)).toContainText(/Gold medal, rank 1:.*4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T/)
  await expect(places(page).nth(0).getByText('P', { exact: true })).toBeVisible()
  await expect(places(page).nth(0)).toContainText(/\+\d+\.\d{6} SOL2 trades$/)
  // The winner's whole profit came from the whale.
  await expect(places(page).nth(0)).toContainText('3 counterparties100% of the profit came from one player')
  const won = places(page).nth(0).getByText(/^\+/)
  await expect(won).toHaveCSS('color', await themeColor(page, '--pm-accent-text'))
  await expect(places(page).nth(1)).toContainText(/Silver medal, rank 2:/)
  await expect(places(page).nth(1)).toContainText(second.username)
  await expect(places(page).nth(1).getByText('none')).toHaveCount(0)
  await expect(places(page).nth(2)).toContainText(/Bronze medal, rank 3:/)
  await expect(places(page).nth(2)).toContainText(third.username)
  await places(page).nth(0).getByRole('link', { name: first.username }).click()
  await expect(page).toHaveURL(/\/user\/\d+$/)
  await expect(page.getByText(first.username, { exact: true })).toBeVisible()
})

test('the leaderboard is fetched every 30 seconds, and when somebody launches or trades', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Tick', symbol: 'TICK' })
  const page = await visit('/leaderboard', { prepare: (it) => it.clock.install() })
  await expect(page.getByText('Winners are updated every 30 seconds')).toBeVisible()
  await expect(page.getByText('Loading leaderboard')).toHaveCount(0)
  await expect(liveIndicator(page)).toHaveText('Live')
  const running = new Set<Request>()
  let count = 0
  page.on('request', (request) => {
    if (!request.url().includes('leaderboard.get')) return
    running.add(request)
    count++
  })
  page.on('requestfinished', (request) => running.delete(request))
  page.on('requestfailed', (request) => running.delete(request))
  const asked = () => count
  await player.launch({ name: 'Tock', symbol: 'TOCK' })
  await expect.poll(asked).toBeGreaterThan(0)

  const afterLaunch = asked()
  await player.buy(tokenId, '1')
  await page.clock.fastForward(NEWS_EVERY_MS)
  await expect.poll(asked).toBeGreaterThan(afterLaunch)
  // If a poll is due while the last request is still running, the page sends no request.
  await expect.poll(() => running.size).toBe(0)

  const afterTrade = asked()
  await page.clock.fastForward(POLL_MS)
  await expect.poll(asked).toBeGreaterThan(afterTrade)
})

test('the leaderboard shows that it loads, and reports a failure once @nightly', async ({ visit, expectedErrors }) => {
  expectedErrors.push(/ERR_FAILED/)
  const page = await visit('/docs')
  const asked: string[] = []
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(/leaderboard\./, async (route) => {
    asked.push(route.request().url())
    await held
    await route.abort()
  })
  await page.getByRole('navigation').getByRole('link', { name: 'Leaderboard' }).first().click()
  await expect(page.getByText('Loading leaderboard')).toBeAttached()
  await expect(page.locator('main ol > li')).toHaveCount(3)
  letGo()
  const alert = page.getByRole('alert').filter({ hasText: 'Failed to fetch leaderboard' })
  await expect(alert).toBeVisible()
  // Which boards share a request depends on when the parts of the page are loaded.
  for (const board of ['get', 'allTime', 'creators', 'rugs', 'bots'])
    await expect.poll(() => asked.join()).toContain(`leaderboard.${board}`)
  await expect(page.getByRole('region', { name: 'Rugs', exact: true })).toHaveCount(0)
  await expect(page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) })).toHaveCount(1)
  const before = asked.length
  const again = alert.getByRole('button', { name: 'Try again' })
  await again.click()
  await expect.poll(() => asked.length).toBeGreaterThan(before)
  await page.unrouteAll()
  // Other tests' players trade meanwhile, which also makes the page refetch.
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 1_000 })
    await expect(alert).toHaveCount(0, { timeout: 2_000 })
  }).toPass()
})
