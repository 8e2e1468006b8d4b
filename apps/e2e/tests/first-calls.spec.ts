import type { Page } from '@playwright/test'
import { tradeRows } from '../support/screen.ts'
import { expect, test } from '../support/test.ts'

test('what a token’s page shows first is asked once, before its scripts ask', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Early Moon', symbol: 'EARLY', initialBuyAmount: '1' })
  const page = await visit(`/token/${tokenId}`)
  await expect(tradeRows(page)).toHaveCount(1)
  expect(await initiatorsOf('/trpc/site.settings,tokens.get', page)).toEqual(['link'])
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
