import type { Locator, Page } from '@playwright/test'
import { figureCard } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const part = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })

test('a player who buys 40 SOL of their own token sees no profit, and each SOL once', async ({ visit, player }) => {
  await player.launch({ name: 'Vanity Moon', symbol: 'VAIN', initialBuyAmount: '40' })
  const page = await visit('/dashboard', { as: player })
  await expect(figureCard(page, 'Total PnL')).toContainText('−0.259641 SOL')
  await expect(figureCard(page, 'Realized PnL')).toContainText(
    /−0\.020000 SOL.*From closed trades.*Closed trades\+0\.000000.*Launch fees.*−0\.020000.*Rug pulls\+0\.000000/,
  )
  await expect(figureCard(page, 'Unrealized PnL')).toContainText(
    /−0\.239641 SOL.*Value if sold now39\.760359.*Total cost40\.0/,
  )
  await expect(part(page, 'Net worth')).toContainText('99.860000 SOL')

  await page.getByRole('main').getByRole('link', { name: 'Portfolio' }).click()
  // The value is at the current price, but the profit uses the cash-out value.
  const cells = page.getByRole('table', { name: 'Holdings' }).getByRole('row').nth(1).getByRole('cell')
  await expect(cells.nth(3)).toContainText(/92\.893813 SOL.*cash-out 39\.760359/)
  await expect(cells.nth(4)).toContainText(/−0\.239641.*−0\.60%/)
  await expect(figureCard(page, 'Total Value')).toContainText('92.893813 SOL')
  await expect(figureCard(page, '24h P/L')).toContainText(/−0\.140000 SOL.*−0\.14%/)
  await expect(part(page, 'Net worth')).toContainText(/99\.860000 SOL.*−0\.140000 SOL.*−0\.14%.*since you joined/)
  await page.getByRole('button', { name: '24H' }).click()
  await expect(part(page, 'Net worth')).toContainText(/−0\.140000 SOL.*−0\.14%.*over 24 hours/)
  const allocation = part(page, 'Allocation')
  await expect(allocation.getByRole('listitem')).toHaveText([
    /SOL balance59\.980000 SOL60\.06%/,
    /SOL in your pool39\.880000 SOL39\.94%/,
  ])
  await expect(allocation).toContainText('You would get 39.880000 SOL by rugging now')
})
