import { launchPool, parseSol, quoteBuy, type Tokens } from '@papermoon/amm'
import { fetchTrades } from '../../support/player.ts'
import {
  balanceButton,
  countCalls,
  expectDangerPanel,
  expectToast,
  liveIndicator,
  tradeRows,
} from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

test('a token without a trade shows what is missing; a double click on Buy trades once', async ({
  visit,
  server,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Blank Page', symbol: 'BLANK' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  await expect(page.getByRole('heading', { name: 'No Trades Yet' })).toBeVisible()
  await expect(page.getByText('Make the first trade to see the market cap grow!')).toBeVisible()
  await expect(page.getByText('No trades yet. Be the first to trade this token!')).toBeVisible()
  await expect(page.getByText('No holders yet')).toBeVisible()

  await page.getByRole('group', { name: 'Quick buy' }).getByRole('button', { name: '1 SOL' }).click()
  const calls = countCalls(page)
  await page.getByRole('button', { name: 'Buy BLANK' }).dblclick()
  await expectToast(page, 'Purchase Successful!', 'Bought ')
  await expect(tradeRows(page)).toHaveCount(1)
  await expect(balanceButton(page)).toHaveAttribute('title', '98.98 SOL')
  expect(calls.filter((path) => path.includes('trading.buy'))).toHaveLength(1)
  expect(await fetchTrades(server.url, tokenId)).toHaveLength(1)
})

test('a buy that the balance does not cover is refused before it is sent; the balance follows what is done elsewhere', async ({
  visit,
  player,
}) => {
  const shown = await player.launch({ name: 'Dear Moon', symbol: 'DEAR' })
  const other = await player.launch({ name: 'Other Moon', symbol: 'OTHER' })
  const page = await visit(`/token/${shown}`, { as: player })
  const amount = page.getByRole('textbox', { name: 'Amount in SOL' })
  await expect(page.getByText('Balance: 99.96 SOL')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Enter an amount to buy' })).toBeDisabled()
  await amount.fill('99.960000001')
  await expect(page.getByRole('button', { name: 'You do not have that much SOL' })).toBeDisabled()
  await amount.fill('99.96')
  await expect(page.getByRole('button', { name: 'Buy DEAR' })).toBeEnabled()

  await expect(liveIndicator(page)).toHaveText('Live')
  await player.buy(other, '30')
  await expect(balanceButton(page)).toHaveAttribute('title', '69.96 SOL')
  await page.getByRole('button', { name: 'Max' }).click()
  await expect(amount).toHaveValue('69.96')
})

test('a large price impact is asked about, for each amount, by keyboard; Enter trades in the amount, not in the slippage', async ({
  visit,
  server,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Asking Moon', symbol: 'ASKS' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  const amount = page.getByRole('textbox', { name: 'Amount in SOL' })
  const buy = page.getByRole('button', { name: /^Buy ASKS/ })
  const question = page.getByRole('alert').filter({ hasText: 'This trade alone moves the price' })
  await amount.fill('20')
  await buy.focus()
  await page.keyboard.press('Enter')
  await expect(question).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(buy).toBeFocused()

  await amount.press('Enter')
  await expect(question).toBeFocused()
  // The key press that opens the question must not also answer it.
  await page.keyboard.press('Enter')
  await expect(question).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'No, go back' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(amount).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(question).toBeVisible()
  await amount.fill('1')
  await expect(buy).toBeVisible()
  await amount.fill('20')
  await expect(buy).toBeVisible()
  await expect(question).toBeHidden()

  await amount.fill('1')
  await page.getByText(/^Slippage:/).click()
  const calls = countCalls(page)
  const slippage = page.getByRole('textbox', { name: 'Slippage in percent' })
  await slippage.clear()
  await slippage.pressSequentially('1·5')
  await expect(slippage).toHaveValue('1·5')
  await expect(page.getByText(/^Slippage: 2%/)).toBeVisible()
  await slippage.fill('1,5')
  await expect(page.getByText(/^Slippage: 1\.5%/)).toBeVisible()
  await slippage.press('Enter')
  await amount.press('Enter')
  await expectToast(page, 'Purchase Successful!', 'Bought ')
  await expect(tradeRows(page)).toHaveCount(1)
  expect(calls.filter((path) => path.includes('trading.buy'))).toHaveLength(1)
  expect(await fetchTrades(server.url, tokenId)).toHaveLength(1)
})

test('events of a token reach its page, and what an order would bring, without a call, whoever traded', async ({
  visit,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Moving Moon', symbol: 'MOVE' })
  const page = await visit(`/token/${tokenId}`)
  await expect(liveIndicator(page)).toHaveText('Live')
  await expect(page.getByText('No holders yet')).toBeVisible()
  await expectDangerPanel(page)
  await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('1')
  const panel = page.getByRole('region', { name: 'Trade MOVE' })
  const { tokensOut } = quoteBuy(launchPool(), parseSol('1'))
  await expect(panel).toContainText(shown(tokensOut))
  const calls = countCalls(page)
  await player.buy(tokenId, '10')
  const afterwards = quoteBuy(quoteBuy(launchPool(), parseSol('10')).pool, parseSol('1'))
  await expect(panel).toContainText(shown(afterwards.tokensOut))
  await expect(tradeRows(page)).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Pool Statistics' })).toContainText('39.97 SOL')
  await expect(page.getByRole('region', { name: 'Chart' })).toContainText(/Total Trades1/)
  expect(calls).toEqual([])
})

/** Formats an amount of tokens in the same way as the screen. */
function shown(tokens: Tokens): string {
  return new Intl.NumberFormat('en', { minimumFractionDigits: 2, roundingMode: 'trunc' }).format(
    tokens.toFixed(2, 1) as `${number}`,
  )
}

test('a small price is selected, copied and read as the exact number', async ({ visit, server, player }) => {
  const tokenId = await player.launch({ name: 'Exact Moon', symbol: 'EXACT', initialBuyAmount: '3' })
  const page = await visit(`/token/${tokenId}`)
  const { currentPrice } = await (await fetch(`${server.url}/api/tokens/${tokenId}`)).json()
  const price = page.locator('header').getByTitle(currentPrice)
  await expect(price.locator('sub')).toBeVisible()
  const selected = () => page.evaluate(() => getSelection()?.toString())
  await price.dblclick()
  expect(await selected()).toBe(currentPrice)
  // Select the surrounding text as well, as if someone had dragged over the page.
  await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector('header dl dd') ?? document.body))
  expect((await selected())?.trim()).toMatch(new RegExp(`^${currentPrice} SOL`))
  await expect(page).toHaveTitle(/^0\.0[₀-₉]+\d{3,5} EXACT · Exact Moon · Papermoon$/)
})
