import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { tokenCards, tradeRows } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

test('a token page’s first calls are sent once, before its scripts run', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Early Moon', symbol: 'EARLY', initialBuyAmount: '1' })
  const page = await visit(`/token/${tokenId}`)
  await expect(tradeRows(page)).toHaveCount(1)
  await expectPreloaded('/trpc/site.settings,tokens.get', page)
})

test('the home page’s first calls are sent once, before its scripts run', async ({ visit, player }) => {
  const name = `Early ${randomUUID().slice(0, 6)}`
  await player.launch({ name, symbol: 'FIRST' })
  const page = await visit('/')
  await expect(tokenCards(page).filter({ hasText: name })).toBeVisible()
  await expectPreloaded('/trpc/site.settings,tokens.list', page)
})

test('the leaderboard’s first calls are sent once, before its scripts run', async ({ visit }) => {
  const page = await visit('/leaderboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Leaderboard' })).toBeVisible()
  await expectPreloaded('/trpc/site.settings,leaderboard.get', page)
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

/** A batch that begins like this was sent once, by the page's preload link: the scripts made the same call. */
async function expectPreloaded(call: string, page: Page): Promise<void> {
  const initiators = await page.evaluate(
    (start) =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes(start))
        .map((entry) => (entry as PerformanceResourceTiming).initiatorType),
    call,
  )
  const hint = 'the screen calls something else than its route prefetches: see LOADERS in apps/web/src/first-calls.ts'
  expect(initiators, hint).toEqual(['link'])
}
