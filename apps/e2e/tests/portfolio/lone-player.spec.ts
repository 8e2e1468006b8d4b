import type { Locator, Page } from '@playwright/test'
import { fetchId, pullRug } from '../../support/holdings.ts'
import { expectGoodLooks, windows } from '../../support/looks.ts'
import { registerPlayer } from '../../support/player.ts'
import { figureCard, liveIndicator } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const part = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })

test('a player who buys 40 SOL of their own token sees no profit, and each SOL once', async ({ visit, player }) => {
  await player.launch({ name: 'Vanity Moon', symbol: 'VAIN', initialBuyAmount: '40' })
  const page = await visit('/dashboard', { as: player })
  await expect(figureCard(page, 'Total PnL')).toContainText('−0.259641 SOL')
  await expect(figureCard(page, 'Realized PnL')).toContainText(
    /−0\.020000 SOL.*From closed trades.*Closed trades\+0\.000000.*Launch fees.*−0\.020000.*Rugs\+0\.000000/,
  )
  await expect(figureCard(page, 'Unrealized PnL')).toContainText(
    /−0\.239641 SOL.*Selling it all pays39\.760359.*It cost40\.0/,
  )
  await expect(part(page, 'Net worth')).toContainText('99.860000 SOL')

  await page.getByRole('main').getByRole('link', { name: 'Portfolio' }).click()
  // The value is the mark value; the profit is based on the cash-out value.
  const cells = page.getByRole('table', { name: 'Holdings' }).getByRole('row').nth(1).getByRole('cell')
  await expect(cells.nth(3)).toContainText(/92\.893813 SOL.*cash-out 39\.760359/)
  await expect(cells.nth(4)).toContainText(/−0\.239641.*−0\.60%/)
  await expect(figureCard(page, 'Total Value')).toContainText('92.893813 SOL')
  await expect(figureCard(page, '24h P/L')).toContainText(/−0\.140000 SOL.*−0\.14%/)
  await expect(part(page, 'Net worth')).toContainText(/99\.860000 SOL.*−0\.140000 SOL.*−0\.14%.*since you joined/)
  const allocation = part(page, 'Allocation')
  await expect(allocation.getByRole('listitem')).toHaveText([
    /SOL balance59\.980000 SOL60\.06%/,
    /SOL in your own pool39\.880000 SOL39\.94%/,
  ])
  await expect(allocation).toContainText('If you rugged now: 39.880000 SOL')
})

test('24 hours are one figure: the card’s, the chart’s, and after others traded', async ({ visit, server, player }) => {
  const whale = await registerPlayer(server.url)
  const tokenId = await whale.launch({ name: 'Day Moon', symbol: 'DAY' })
  const own = await player.launch({ name: 'Night Moon', symbol: 'NIGHT', initialBuyAmount: '2' })
  await player.buy(tokenId, '10')
  const page = await visit('/portfolio', { as: player })
  await expect(liveIndicator(page)).toHaveText('Live')
  await page.getByRole('button', { name: '24H' }).click()
  const chart = part(page, 'Net worth').getByText('over 24 hours')
  const expectOneFigure = async () => {
    await expect(async () => {
      const shown = await figureCard(page, '24h P/L').locator('[title$=" SOL"]').getAttribute('title')
      const [told] = (await figureCard(page, '24h P/L').textContent())?.match(/[−+][\d.]+%/) ?? []
      const line = chart.locator('xpath=..')
      await expect(line.locator('[title$=" SOL"]')).toHaveAttribute('title', shown ?? 'a figure', { timeout: 500 })
      await expect(line).toContainText(told ?? 'a percentage', { timeout: 500 })
    }).toPass()
  }
  await expect(figureCard(page, '24h P/L')).toContainText('−')
  await expectOneFigure()

  await whale.buy(tokenId, '20')
  await whale.buy(own, '5')
  await expect(figureCard(page, '24h P/L')).toContainText('+')
  await expectOneFigure()
})

test('more SOL after a ruin is no profit', async ({ visit, server, player }) => {
  const rugger = await registerPlayer(server.url)
  const tokenId = await rugger.launch({ name: 'Ruin Moon', symbol: 'RUIN' })
  await player.buy(tokenId, '95')
  await pullRug(server.url, rugger, tokenId)
  const page = await visit('/portfolio', { as: player })
  await expect(figureCard(page, '24h P/L')).toContainText(/−95\.000000 SOL.*−95\.00%/)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Reset Account' }).click()
  await expect(page.getByText('Account Reset!').first()).toBeVisible()
  await page.goto('/portfolio')
  await expect(figureCard(page, '24h P/L')).toContainText(/−95\.000000 SOL.*−48\.72%/)
  await expect(part(page, 'Net worth')).toContainText(/100\.000000 SOL.*−95\.000000 SOL.*−48\.72%.*since you joined/)
})

for (const [device, viewport] of Object.entries(windows)) {
  test(`a lone launcher’s books on a ${device}: fit, and are open to everybody`, { tag: '@looks' }, async ({
    visit,
    server,
    player,
  }) => {
    await player.launch({ name: 'Vanity Moon', symbol: 'VAIN', initialBuyAmount: '40' })
    const id = await fetchId(server.url, player)
    for (const screen of ['dashboard', 'portfolio', 'settings', `user/${id}`]) {
      const page = await visit(`/${screen}`, { as: player, viewport })
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (screen !== 'settings') await expect(page.getByText('Vanity Moon').first()).toBeVisible()
      await expectGoodLooks(page)
    }
  })
}
