import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { tokenCards, tradeRows } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

test('what a token’s page shows first is asked once, before its scripts ask', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Early Moon', symbol: 'EARLY', initialBuyAmount: '1' })
  const page = await visit(`/token/${tokenId}`)
  await expect(tradeRows(page)).toHaveCount(1)
  expect(await initiatorsOf('/trpc/site.settings,tokens.get', page)).toEqual(['link'])
})

test('what home shows first is asked once, before its scripts ask', async ({ visit, player }) => {
  const name = `Early ${randomUUID().slice(0, 6)}`
  await player.launch({ name, symbol: 'FIRST' })
  const page = await visit('/')
  await expect(tokenCards(page).filter({ hasText: name })).toBeVisible()
  expect(await initiatorsOf('/trpc/site.settings,tokens.list', page)).toEqual(['link'])
})

test('home shows its banner while its scripts are on their way, and nothing that cannot be used', async ({ visit }) => {
  const page = await visit('/docs')
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(/\/assets\/index-.*\.js/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.getByText('trade like a millionaire')).toBeVisible()
  await expect(page.getByRole('heading')).toHaveCount(0)
  expect(await page.locator('#root').locator('a, button, input').count()).toBe(0)
  letGo()
  await expect(page.getByRole('heading', { level: 1, name: 'trade like a millionaire' })).toBeVisible()
})

/** Who asked for what begins like this; an early answer that does not fit the call is asked for again. */
async function initiatorsOf(call: string, page: Page): Promise<string[]> {
  return await page.evaluate(
    (start) =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes(start))
        .map((entry) => (entry as PerformanceResourceTiming).initiatorType),
    call,
  )
}
