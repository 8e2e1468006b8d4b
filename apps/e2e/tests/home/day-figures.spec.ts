import type { Page } from '@playwright/test'
import { liveIndicator, tokenCards } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const MINUTE_MS = 60_000

test('the 24-hour change of a token is fetched again each minute @nightly', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 503/)
  const tokenId = await player.launch({ name: 'Quiet Moon', symbol: 'QUIET', initialBuyAmount: '1' })
  const page = await visit(`/token/${tokenId}`, { prepare: (it) => it.clock.install() })
  await expect(liveIndicator(page)).toHaveText('Live')
  await expect(page.locator('canvas').first()).toBeVisible()
  const answered: string[] = []
  await answerLater(page, answered)
  await expect(page.getByText('77.77%')).toHaveCount(0)
  await page.clock.runFor(MINUTE_MS + 1_000)
  await expect(page.getByText('77.77%').filter({ visible: true }).first()).toBeVisible()
  await expect.poll(() => answered.join()).toContain('tokens.chart')
  // A failed refetch does not change the page. Keep the first handler, so that no request gets another response in
  // between.
  const refused: string[] = []
  await page.route(/\/trpc\/.*tokens\./, (route) => {
    refused.push(route.request().url())
    return route.fulfill({ status: 503, body: '' })
  })
  await page.clock.runFor(MINUTE_MS + 1_000)
  await expect.poll(() => refused.join()).toContain('tokens.get')
  await page.clock.runFor(1_000)
  await expect(page.getByText('77.77%').filter({ visible: true }).first()).toBeVisible()

  await page.unrouteAll()
  await page.goto('/')
  await expect(liveIndicator(page)).toHaveText('Live')
  await expect(tokenCards(page).first()).toBeVisible()
  await answerLater(page, [])
  await expect(tokenCards(page).getByText('77.77%')).toHaveCount(0)
  await page.clock.runFor(MINUTE_MS + 1_000)
  await expect(tokenCards(page).getByText('77.77%').first()).toBeVisible()
})

/** Changes the server's responses, as if the price 24 hours ago had changed. */
async function answerLater(page: Page, answered: string[]): Promise<void> {
  await page.route(/\/trpc\/.*tokens\.(get|chart|list)/, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replaceAll(/"priceChange24h":"[^"]*"/g, '"priceChange24h":"77.77"')
    await route.fulfill({ response: answer, body })
    answered.push(route.request().url())
  })
}
