import { launchPool, parseSol, quoteBuy, type Tokens } from '@papermoon/amm'
import { fetchTrades } from '../../support/player.ts'
import { balanceButton, countCalls, expectToast, liveIndicator, tradeRows } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

/** Chromium's own console error for a 404. */
const NOT_FOUND = /status of 404/

for (const id of ['2000000000', 'paper']) {
  test(`a token page for ${id}, which is none, says that there is no such token`, async ({ visit, expectedErrors }) => {
    expectedErrors.push(NOT_FOUND)
    const page = await visit(`/token/${id}`)
    await expect(page.getByRole('heading', { name: 'Token not found' })).toBeVisible()
    await expect(page.getByText("This token doesn't exist or has been removed.")).toBeVisible()
  })
}

test('a token without a trade shows what is missing', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Blank Page', symbol: 'BLANK' })
  const page = await visit(`/token/${tokenId}`)
  await expect(page.getByRole('heading', { name: 'No Trades Yet' })).toBeVisible()
  await expect(page.getByText('Make the first trade to see the market cap grow!')).toBeVisible()
  await expect(page.getByText('No trades yet. Be the first to trade this token!')).toBeVisible()
  await expect(page.getByText('No holders yet')).toBeVisible()
})

test('a double click on Buy trades once', async ({ visit, server, player }) => {
  const tokenId = await player.launch({ name: 'Double Moon', symbol: 'DOUBLE' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  await page.getByRole('group', { name: 'Quick buy' }).getByRole('button', { name: '1 SOL' }).click()
  const calls = countCalls(page)
  await page.getByRole('button', { name: 'Buy DOUBLE' }).dblclick()
  await expectToast(page, 'Purchase Successful!', 'Bought ')
  await expect(tradeRows(page)).toHaveCount(1)
  await expect(balanceButton(page)).toHaveAttribute('title', '98.98 SOL')
  expect(calls.filter((path) => path.includes('trading.buy'))).toHaveLength(1)
  expect(await fetchTrades(server.url, tokenId)).toHaveLength(1)
})

test('a buy that the balance does not cover is refused before it is sent', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Dear Moon', symbol: 'DEAR' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  await expect(page.getByText('Balance: 99.98 SOL')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Enter an amount to buy' })).toBeDisabled()
  await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('99.980000001')
  await expect(page.getByRole('button', { name: 'You do not have that much SOL' })).toBeDisabled()
  await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('99.98')
  await expect(page.getByRole('button', { name: 'Buy DEAR' })).toBeEnabled()
})

test('Enter in the amount trades, and Enter in the slippage does not', async ({ visit, server, player }) => {
  const tokenId = await player.launch({ name: 'Enter Moon', symbol: 'ENTER' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  await page.getByText(/^Slippage:/).click()
  const calls = countCalls(page)
  await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('1')
  await page.getByRole('textbox', { name: 'Slippage in percent' }).press('Enter')
  await page.getByRole('textbox', { name: 'Amount in SOL' }).press('Enter')
  await expectToast(page, 'Purchase Successful!', 'Bought ')
  await expect(tradeRows(page)).toHaveCount(1)
  expect(calls.filter((path) => path.includes('trading.buy'))).toHaveLength(1)
  expect(await fetchTrades(server.url, tokenId)).toHaveLength(1)
})

test('a large price impact needs another confirmation for another amount', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Heavy Moon', symbol: 'HEAVY' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  const amount = page.getByRole('textbox', { name: 'Amount in SOL' })
  const question = page.getByText(/^This trade alone moves the price by/)
  await amount.fill('50')
  await amount.press('Enter')
  await expect(question).toBeVisible()
  await amount.press('Enter')
  await amount.fill('1')
  await expect(page.getByRole('button', { name: 'Buy HEAVY' })).toBeVisible()
  await amount.fill('50')
  await expect(page.getByRole('button', { name: 'Buy HEAVY' })).toBeVisible()
  await expect(question).toHaveCount(0)
})

test('the balance follows what the player does with another token elsewhere', async ({ visit, player }) => {
  const shown = await player.launch({ name: 'Shown Moon', symbol: 'SHOWN' })
  const other = await player.launch({ name: 'Other Moon', symbol: 'OTHER' })
  const page = await visit(`/token/${shown}`, { as: player })
  await expect(balanceButton(page)).toHaveAttribute('title', '99.96 SOL')
  await expect(liveIndicator(page)).toHaveText('Live')
  await player.buy(other, '30')
  await expect(balanceButton(page)).toHaveAttribute('title', '69.96 SOL')
  await page.getByRole('button', { name: 'Max' }).click()
  await expect(page.getByRole('textbox', { name: 'Amount in SOL' })).toHaveValue('69.96')
})

test('the price of another player’s trades moves what my order would bring', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Moving Moon', symbol: 'MOVE' })
  const page = await visit(`/token/${tokenId}`)
  await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('1')
  const panel = page.getByRole('region', { name: 'Trade MOVE' })
  const { tokensOut } = quoteBuy(launchPool(), parseSol('1'))
  await expect(panel).toContainText(shown(tokensOut))
  await player.buy(tokenId, '10')
  const afterwards = quoteBuy(quoteBuy(launchPool(), parseSol('10')).pool, parseSol('1'))
  await expect(panel).toContainText(shown(afterwards.tokensOut))
})

/** Formats tokens as the screen does. */
function shown(tokens: Tokens): string {
  return new Intl.NumberFormat('en', { minimumFractionDigits: 2, roundingMode: 'trunc' }).format(
    tokens.toFixed(2, 1) as `${number}`,
  )
}
