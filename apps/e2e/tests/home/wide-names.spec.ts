import type { Page } from '@playwright/test'
import { expect, test } from '../../support/test.ts'

/** A name with the max length in the widest letters. */
const LONG_NAME = 'W'.repeat(32)

test('the tickets of the fair fit every window, however far a price went @nightly', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: LONG_NAME, symbol: 'WWWWWWWWWW', initialBuyAmount: '1.5' })
  await player.buy(tokenId, '0.123456789')
  const page = await visit('/')
  const changes = page.getByRole('main').getByRole('listitem').getByText(/\d%$/)
  await expect(changes.first()).toBeVisible()
  // Makes each change as long as possible.
  await changes.evaluateAll((spans) => {
    for (const span of spans) span.append('▲+9,999.99%'.slice(span.textContent?.length ?? 0))
  })
  for (const width of [320, 385, 648, 1128]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await measureOverflow(page)).toBe(0)
  }
})

/** Returns how many pixels wider the page is than its window. */
function measureOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
