import type { Page, Route } from '@playwright/test'
import { expectToast, liveIndicator, tradeRows } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

test('players trade while parts of a page do not load', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/ERR_FAILED/)
  const tokenId = await player.launch({ name: 'Late Parts', symbol: 'LATE', initialBuyAmount: '1' })
  const styles = new Set<string>()
  const refuseOnce = async (route: Route) => {
    const url = route.request().url()
    if (styles.has(url)) return await route.continue()
    styles.add(url)
    await route.abort()
  }
  const charts: string[] = []
  const prepare = async (it: Page) => {
    await it.route(/\/assets\/.*\.css/, refuseOnce)
    await it.route(/\/live-client-/, (route) => route.abort())
    await it.route(/\/chart-plot/, (route) => {
      charts.push(route.request().url())
      return route.abort()
    })
  }
  const page = await visit(`/token/${tokenId}`, { as: player, prepare })
  await expect(liveIndicator(page)).toHaveText('Offline')
  await expectLoaded(page, 'toast-host')
  expect(styles.size).toBeGreaterThan(0)
  await expect.poll(() => charts.length).toBeGreaterThan(1)
  await expect(page.locator('canvas')).toHaveCount(0)
  await page.getByRole('group', { name: 'Quick buy' }).getByRole('button', { name: '1 SOL' }).click()
  await page.getByRole('button', { name: 'Buy LATE' }).click()
  // The toast must be visible at its usual position.
  await expectToast(page, 'Purchase Successful!', 'Bought ')
  await player.buy(tokenId, '2')
  await page.unrouteAll()
  await expect(page.locator('canvas').first()).toBeVisible()
  await expect(liveIndicator(page)).toHaveText('Live')
  await expect(tradeRows(page)).toContainText(['2.000000 SOL', '1.000000 SOL', '1.000000 SOL'])
})

/** Waits until the code of a lazy component is loaded. */
async function expectLoaded(page: Page, part: string): Promise<void> {
  const isLoaded = (name: string) =>
    performance
      .getEntriesByType('resource')
      .some((entry) => entry.name.includes(`/${name}-`) && entry.name.endsWith('.js'))
  await expect.poll(() => page.evaluate(isLoaded, part)).toBe(true)
}
