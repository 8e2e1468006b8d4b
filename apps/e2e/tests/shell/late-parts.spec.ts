import type { Page, Route } from '@playwright/test'
import { fetchTrades, registerPlayer } from '../../support/player.ts'
import { balanceButton, expectToast, liveIndicator, tradeRows } from '../../support/screen.ts'
import { expect, SERVER_DOWN, test } from '../../support/test.ts'

test('an order that the server could not take fails with a toast, and trades once when it is pressed again', {
  tag: '@chaos',
}, async ({ visit, ownServer, expectedErrors }) => {
  expectedErrors.push(...SERVER_DOWN)
  const player = await registerPlayer(ownServer.url)
  const tokenId = await player.launch({ name: 'Patient Moon', symbol: 'WAIT' })
  const page = await visit(`${ownServer.url}/token/${tokenId}`, { as: player })
  await expect(liveIndicator(page)).toHaveText('Live')
  // Do not interact before the server is stopped.
  for (const part of ['toast-host', 'balance-menu']) await expectLoaded(page, part)

  await ownServer.stop()
  await page.getByRole('group', { name: 'Quick buy' }).getByRole('button', { name: '1 SOL' }).click()
  await page.getByRole('button', { name: 'Buy WAIT' }).click()
  await expectToast(page, 'Purchase Failed', 'No answer came. Your order may or may not have gone through.')
  await expect(page.getByRole('tabpanel', { name: 'Buy' })).toContainText('No answer came. Your order may')
  await balanceButton(page).click()
  await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
  await page.keyboard.press('Escape')

  await ownServer.start()
  await page.getByRole('button', { name: 'Buy WAIT' }).click()
  await expectToast(page, 'Purchase Successful!', 'Bought ')
  await expect(tradeRows(page)).toHaveCount(1)
  expect(await fetchTrades(ownServer.url, tokenId)).toHaveLength(1)
  await expect(balanceButton(page)).toHaveAttribute('title', '98.98 SOL')
})

test('a chart whose code does not come leaves the page to trade on, and comes later', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/)
  const tokenId = await player.launch({ name: 'Late Chart', symbol: 'LATE', initialBuyAmount: '1' })
  const refused: string[] = []
  const refuse = async (route: Route) => {
    refused.push(route.request().url())
    await route.abort()
  }
  const page = await visit(`/token/${tokenId}`, { as: player, prepare: (it) => it.route(/\/chart-plot/, refuse) })
  await expect.poll(() => refused.length).toBeGreaterThan(1)
  await expect(page.getByRole('textbox', { name: 'Amount in SOL' })).toBeEditable()
  await expect(page.locator('canvas')).toHaveCount(0)
  await page.unrouteAll()
  await expect(page.locator('canvas').first()).toBeVisible()
})

test('a toast whose style sheets do not come at first is seen where toasts are', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/)
  const tokenId = await player.launch({ name: 'Late Style', symbol: 'LATE' })
  const refused = new Set<string>()
  const refuseOnce = async (route: Route) => {
    const url = route.request().url()
    if (refused.has(url)) return await route.continue()
    refused.add(url)
    await route.abort()
  }
  const prepare = (it: Page) => it.route(/\/assets\/.*\.css/, refuseOnce)
  const page = await visit(`/token/${tokenId}`, { as: player, prepare })
  await expectLoaded(page, 'toast-host')
  expect(refused.size).toBeGreaterThan(0)
  await page.getByRole('group', { name: 'Quick buy' }).getByRole('button', { name: '1 SOL' }).click()
  await page.getByRole('button', { name: 'Buy LATE' }).click()
  await expectToast(page, 'Purchase Successful!', 'Bought ')
})

/** Waits until a lazy part's code is loaded. */
async function expectLoaded(page: Page, part: string): Promise<void> {
  const isLoaded = (name: string) =>
    performance
      .getEntriesByType('resource')
      .some((entry) => entry.name.includes(`/${name}-`) && entry.name.endsWith('.js'))
  await expect.poll(() => page.evaluate(isLoaded, part)).toBe(true)
}
