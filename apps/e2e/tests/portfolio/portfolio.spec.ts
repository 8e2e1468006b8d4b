import type { Locator, Page } from '@playwright/test'
import { fetchHoldings, type Holding, pullRug, sellAll } from '../../support/holdings.ts'
import { registerPlayer } from '../../support/player.ts'
import { balanceButton, liveIndicator, tryAgain } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

/** The rows of a table without its header. */
function findRows(page: Page, table: string): Locator {
  return page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
}

/** The figure below a label in the cards on top. */
function card(page: Page, label: string): Locator {
  return page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd')
}

/** Formats with separators, rounded down to `decimals`. */
function shown(decimal: string, decimals: number): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(decimals, '0').slice(0, decimals)}`
}

for (const screen of ['portfolio', 'dashboard']) {
  test(`a guest is asked to log in before the ${screen}`, async ({ visit }) => {
    const page = await visit(`/${screen}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Login Required' })).toBeVisible()
    await expect(page.getByText(`Please login to see your ${screen}.`)).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Login / Register' }).click()
    await expect(page).toHaveURL('/auth')
  })

  test(`the ${screen} fails with a way to try again`, async ({ visit, player, expectedErrors }) => {
    expectedErrors.push(/ERR_FAILED/)
    const page = await visit('/docs', { as: player })
    await page.route(new RegExp(`portfolio\\.(get|${screen})`), (route) => route.abort())
    // A silent socket: market events would trigger a retry.
    await page.routeWebSocket(/\/trpc/, () => {})
    await page.goto(`/${screen}`)
    await expect(page.getByRole('alert')).toContainText(`Failed to fetch ${screen}`)
    await page.unrouteAll()
    await tryAgain(page, page.getByRole('heading', { name: 'No holdings' }))
  })
}

test('the account’s menu leads to dashboard and portfolio, and each to the other', async ({ visit, player }) => {
  const page = await visit('/docs', { as: player })
  await balanceButton(page).click()
  await page.getByRole('menuitem', { name: 'Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page).toHaveTitle(/^Dashboard/)
  await balanceButton(page).click()
  await page.getByRole('menuitem', { name: 'Portfolio' }).click()
  await expect(page).toHaveURL('/portfolio')
  await expect(page).toHaveTitle(/^Portfolio/)
  await page.getByRole('main').getByRole('link', { name: 'Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('a new player’s dashboard is empty and says what to do', async ({ visit, player }) => {
  const page = await visit('/dashboard', { as: player })
  await expect(card(page, 'Total PnL')).toContainText('+0.000000 SOL')
  await expect(card(page, 'Realized PnL')).toContainText(/From closed trades.*Closed trades.*Launch fees.*Rugs/)
  await expect(card(page, 'Unrealized PnL')).toContainText('Current holdings value')
  await expect(page.getByRole('heading', { name: 'No holdings' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No tokens created' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Launch Token' }).click()
  await expect(page).toHaveURL('/launch')
})

test('the portfolio shows each holding at its mark value, its cash-out value and its profit', async ({
  visit,
  server,
  player,
}) => {
  const whale = await registerPlayer(server.url)
  const tokenId = await whale.launch({ name: 'Mark Moon', symbol: 'MARK' })
  await player.buy(tokenId, '1')
  await whale.buy(tokenId, '3')
  const [held] = (await fetchHoldings(server.url, player)) as [Holding]

  const page = await visit('/portfolio', { as: player })
  const line = findRows(page, 'Holdings')
  await expect(line).toHaveCount(1)
  await expect(page.getByRole('columnheader')).toHaveText(['Token', 'Amount', 'Price', 'Value', 'P/L', 'Sell'])
  const cells = line.getByRole('cell')
  await expect(cells.nth(0)).toContainText('Mark MoonMARK')
  await expect(cells.nth(1)).toHaveText(shown(held.amount, 2))
  await expect(cells.nth(2).getByTitle(held.currentPrice)).toBeVisible()
  await expect(cells.nth(3)).toContainText(`${shown(held.totalValue, 6)} SOL`)
  await expect(cells.nth(3)).toContainText(`cash-out ${shown(held.cashOutValue, 6)}`)
  await expect(cells.nth(4)).toContainText(`+${shown(held.profitLoss, 6)}`)
  await expect(cells.nth(4)).toContainText(`+${shown(held.profitLossPercent, 2)}%`)
  await expect(card(page, 'Total Value')).toContainText(`${shown(held.totalValue, 6)} SOL`)
  await expect(card(page, 'Total Value')).toContainText(`cash-out ${shown(held.cashOutValue, 6)}`)
  await expect(card(page, '24h P/L')).toContainText(`+${shown(held.profitLoss, 6)} SOL`)
  await expect(card(page, '24h P/L')).toContainText('%')
  await expect(card(page, 'Holdings')).toContainText('1')

  // The whole row is a link.
  await line.click()
  await expect(page).toHaveURL(`/token/${tokenId}`)
})

test('the portfolio follows the trades of others, the player’s own elsewhere, and a rug pull', async ({
  visit,
  server,
  player,
}) => {
  const creator = await registerPlayer(server.url)
  const tokenId = await creator.launch({ name: 'Live Moon', symbol: 'LIVE' })
  await player.buy(tokenId, '1')
  const page = await visit('/portfolio', { as: player })
  await expect(liveIndicator(page)).toHaveText('Live')
  const line = findRows(page, 'Holdings')
  await expect(line).toHaveCount(1)
  const value = line.getByRole('cell').nth(3)

  for (let trades = 0; trades < 5; trades++) await creator.buy(tokenId, '1')
  const [risen] = (await fetchHoldings(server.url, player)) as [Holding]
  await expect(value).toContainText(shown(risen.totalValue, 6))

  await player.buy(tokenId, '2')
  const [grown] = (await fetchHoldings(server.url, player)) as [Holding]
  await expect(line.getByRole('cell').nth(1)).toHaveText(shown(grown.amount, 2))

  await pullRug(server.url, creator, tokenId)
  await expect(line).toContainText('Rugged')
  await expect(value).toContainText('0.000000 SOL')
  await expect(line.getByRole('cell').nth(4)).toContainText('−100.00%')
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
  const [held] = (await fetchHoldings(server.url, player)) as [Holding]
  await expect(holdings.getByRole('cell').nth(3)).toContainText(shown(held.totalValue, 6))
  await expect(card(page, 'Unrealized PnL')).toContainText(`+${shown(held.profitLoss, 6)}`)
  await expect(created.getByRole('cell').nth(3)).toContainText('5.98 SOL')

  await sellAll(server.url, player, tokenId)
  await expect(page.getByRole('heading', { name: 'No holdings' })).toBeVisible()
  await expect(card(page, 'Unrealized PnL')).toContainText('+0.000000')
  await expect(card(page, 'Realized PnL')).toContainText(/▲\+\d/)
  await created.getByRole('link', { name: 'Own Moon' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/token/${tokenId}`)
})
