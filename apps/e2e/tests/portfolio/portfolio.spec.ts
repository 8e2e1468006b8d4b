import type { Locator, Page } from '@playwright/test'
import { fetchHoldings, type Holding, sellAll, shown } from '../../support/holdings.ts'
import { registerPlayer } from '../../support/player.ts'
import { balanceButton, figureCard, liveIndicator, tryAgain } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

/** Returns a table's rows without its header. */
function findRows(page: Page, table: string): Locator {
  return page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
}

test('a guest is asked to log in @nightly', async ({ visit }) => {
  for (const [screen, sentence] of [
    ['portfolio', 'Please log in to see your portfolio.'],
    ['dashboard', 'Please log in to see your dashboard.'],
    ['settings', 'Please login to access settings.'],
  ] as const) {
    const page = await visit(`/${screen}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Login Required' })).toBeVisible()
    await expect(page.getByText(sentence)).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Login / Register' }).click()
    await expect(page).toHaveURL('/auth')
  }
})

test('a new player’s dashboard and portfolio are empty, and link to the next step @nightly', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/)
  const lost = /portfolio\.(get|portfolio|dashboard)/
  const page = await visit('/docs', {
    as: player,
    prepare: async (it) => {
      await it.route(lost, (route) => route.abort())
      // Make the socket send nothing, because a market event would trigger a retry.
      await it.routeWebSocket(/\/trpc/, () => {})
    },
  })
  for (const [screen, next] of [
    ['dashboard', page.getByRole('main').getByRole('link', { name: 'Launch Token' })],
    ['portfolio', page.getByRole('main').getByRole('link', { name: 'Dashboard' })],
  ] as const) {
    await balanceButton(page).click()
    await page.getByRole('menuitem', { name: screen, exact: false }).click()
    await expect(page).toHaveURL(`/${screen}`)
    await expect(page).toHaveTitle(new RegExp(`^${screen}`, 'i'))
    await expect(page.getByRole('alert')).toContainText(`Failed to fetch ${screen}`)
    await page.unroute(lost)
    await tryAgain(page, page.getByRole('heading', { name: 'No holdings' }))
    if (screen === 'dashboard') await page.route(lost, (route) => route.abort())
    await expect(next).toBeVisible()
  }
  const worth = page.getByRole('region', { name: 'Net worth', exact: true })
  await expect(worth).toContainText('100.000000 SOL')
  await expect(worth.getByRole('heading', { name: 'No history yet' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Allocation', exact: true }).getByRole('listitem')).toHaveText([
    /SOL balance.*100\.000000 SOL.*100\.00%/,
  ])
  await page.getByRole('main').getByRole('link', { name: 'Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(figureCard(page, 'Total PnL')).toContainText('+0.000000 SOL')
  await expect(figureCard(page, 'Realized PnL')).toContainText(
    /From closed trades.*Closed trades.*Launch fees.*Rug pulls/,
  )
  await expect(figureCard(page, 'Unrealized PnL')).toContainText('Current holdings value')
  await expect(page.getByRole('heading', { name: 'No holdings' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No tokens created' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Launch Token' }).click()
  await expect(page).toHaveURL('/launch')
})

test('the portfolio shows values and profit, and follows trades and rugs', async ({ visit, server, player }) => {
  const whale = await registerPlayer(server.url)
  const tokenId = await whale.launch({ name: 'Mark Moon', symbol: 'MARK' })
  await player.buy(tokenId, '1')
  await whale.buy(tokenId, '3')
  const [held] = (await fetchHoldings(player)) as [Holding]

  const page = await visit('/portfolio', { as: player })
  await expect(liveIndicator(page)).toHaveText('Live')
  const line = findRows(page, 'Holdings')
  await expect(line).toHaveCount(1)
  await expect(page.getByRole('columnheader')).toHaveText(['Token', 'Amount', 'Price', 'Value', 'P/L', 'Sell'])
  const cells = line.getByRole('cell')
  await expect(cells.nth(0)).toContainText('Mark MoonMARK')
  await expect(cells.nth(1)).toHaveText(shown(held.amount, 2))
  await expect(cells.nth(2).getByTitle(held.currentPrice)).toBeVisible()
  await expect(cells.nth(3)).toContainText(`${shown(held.totalValue)} SOL`)
  await expect(cells.nth(3)).toContainText(`cash-out ${shown(held.cashOutValue)}`)
  await expect(cells.nth(4)).toContainText(`+${shown(held.profitLoss)}`)
  await expect(cells.nth(4)).toContainText(`+${shown(held.profitLossPercent, 2)}%`)
  await expect(figureCard(page, 'Total Value')).toContainText(`${shown(held.totalValue)} SOL`)
  await expect(figureCard(page, 'Total Value')).toContainText(`cash-out ${shown(held.cashOutValue)}`)
  await expect(figureCard(page, '24h P/L')).toContainText(`+${shown(held.profitLoss)} SOL`)
  await expect(figureCard(page, '24h P/L')).toContainText('%')
  await expect(figureCard(page, 'Holdings')).toContainText('1')

  for (let trades = 0; trades < 5; trades++) await whale.buy(tokenId, '1')
  const [risen] = (await fetchHoldings(player)) as [Holding]
  await expect(cells.nth(3)).toContainText(shown(risen.totalValue))
  await player.buy(tokenId, '2')
  const [grown] = (await fetchHoldings(player)) as [Holding]
  await expect(cells.nth(1)).toHaveText(shown(grown.amount, 2))
  await whale.rug(tokenId)
  await expect(line).toContainText('Rugged')
  await expect(cells.nth(3)).toContainText('0.000000 SOL')
  await expect(cells.nth(4)).toContainText('−100.00%')
  // The whole row is a link.
  await line.click()
  await expect(page).toHaveURL(`/token/${tokenId}`)
})

test('the dashboard shows what was won, held and launched, live', async ({ visit, server, player }) => {
  const tokenId = await player.launch({ name: 'Own Moon', symbol: 'OWN', initialBuyAmount: '2' })
  const other = await registerPlayer(server.url)
  const page = await visit('/dashboard', { as: player })
  await expect(liveIndicator(page)).toHaveText('Live')
  const holdings = findRows(page, 'Holdings')
  const created = findRows(page, 'Created Tokens')
  const headings = (table: string) => page.getByRole('table', { name: table }).getByRole('columnheader')
  await expect(headings('Holdings')).toHaveText(['Token', 'Amount', 'Price', 'Value', 'Sell'])
  await expect(headings('Created Tokens')).toHaveText(['Token', 'Created', 'Price', 'Liquidity'])
  await expect(created.getByRole('cell').nth(1)).toHaveText(/just now|(second|minute)s? ago/)
  await expect(created.getByRole('cell').nth(3)).toContainText('1.99 SOL')

  await other.buy(tokenId, '4')
  const [held] = (await fetchHoldings(player)) as [Holding]
  await expect(holdings.getByRole('cell').nth(3)).toContainText(shown(held.totalValue))
  await expect(figureCard(page, 'Unrealized PnL')).toContainText(`+${shown(held.profitLoss)}`)
  await expect(created.getByRole('cell').nth(3)).toContainText('5.98 SOL')

  await sellAll(player, tokenId)
  await expect(page.getByRole('heading', { name: 'No holdings' })).toBeVisible()
  await expect(figureCard(page, 'Unrealized PnL')).toContainText('+0.000000')
  await expect(figureCard(page, 'Realized PnL')).toContainText(/▲\+\d/)
  await created.getByRole('link', { name: 'Own Moon' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/token/${tokenId}`)
})
