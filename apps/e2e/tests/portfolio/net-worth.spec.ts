import type { Locator, Page } from '@playwright/test'
import { fetchHoldings, fetchNetWorth, type Holding, shown } from '../../support/holdings.ts'
import { fetchTrades, type Player, registerPlayer } from '../../support/player.ts'
import { expectToast, liveIndicator } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

/** Returns the section of the page with a heading. */
function part(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}

async function onlyHolding(player: Player): Promise<Holding> {
  const [held, ...more] = await fetchHoldings(player)
  if (held === undefined || more.length > 0) throw new Error('not one holding')
  return held
}

test('portfolio and dashboard show net worth, and follow trades @nightly', async ({ visit, server, player }) => {
  const whale = await registerPlayer(server.url)
  const tokenId = await whale.launch({ name: 'Worth Moon', symbol: 'WORTH' })
  const own = await player.launch({ name: 'Own Moon', symbol: 'OWN' })
  await player.buy(tokenId, '10')
  await whale.buy(own, '5')

  const page = await visit('/portfolio', { as: player })
  await expect(liveIndicator(page)).toHaveText('Live')
  const first = await fetchNetWorth(player)
  await expect(part(page, 'Net worth')).toContainText(`${shown(first.netWorth)} SOL`)
  const parts = part(page, 'Allocation').getByRole('listitem')
  await expect(parts).toContainText([
    `SOL balance${shown(first.balance)} SOL`,
    `SOL in your pool${shown(first.ownPools)} SOL`,
    `Worth Moon${shown(first.cashOutValue)} SOL`,
  ])
  const line = part(page, 'Net worth').getByRole('slider')
  await expect(line).toHaveAccessibleName(/^Net worth since you joined: .+ SOL \(.+%\), lowest \d.*, highest \d/)
  await line.focus()
  await page.keyboard.press('Home')
  await expect(line).toHaveAttribute('aria-valuetext', /: 100\.000000 SOL, including a balance of 100\.000000 SOL$/)
  await expect(
    part(page, 'Net worth').getByText(/: 100\.000000 SOL, including a balance of 100\.000000 SOL$/),
  ).toBeVisible()
  await page.keyboard.press('End')
  await expect(line).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`: ${shown(first.netWorth)} SOL, including a balance of ${shown(first.balance)} SOL$`),
  )
  await page.getByRole('button', { name: '24H' }).click()
  await expect(line).toHaveAccessibleName(/^Net worth over 24 hours:/)

  await whale.buy(tokenId, '20')
  await whale.buy(own, '3')
  const then = await fetchNetWorth(player)
  await expect(part(page, 'Net worth')).toContainText(`${shown(then.netWorth)} SOL`)
  await expect(parts.filter({ hasText: 'Worth Moon' })).toContainText(`${shown(then.cashOutValue)} SOL`)
  await expect(parts.filter({ hasText: 'your pool' })).toContainText('7.976000 SOL')
  await expect(part(page, 'Net worth').getByText(/▲\+\d/).first()).toBeVisible()

  await page.getByRole('main').getByRole('link', { name: 'Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(part(page, 'Allocation')).toHaveCount(0)
  await expect(part(page, 'Net worth').getByTitle(`${then.netWorth} SOL`)).toBeVisible()
  await whale.buy(tokenId, '1')
  const last = await fetchNetWorth(player)
  await expect(part(page, 'Net worth').getByTitle(`${last.netWorth} SOL`)).toBeVisible()
  await part(page, 'Net worth').getByRole('link', { name: 'See your net worth history' }).click()
  await expect(part(page, 'Net worth')).toContainText(`${shown(last.netWorth)} SOL`)
})

test('a holding is sold from its row, in part and whole @nightly', async ({ visit, server, player }) => {
  const tokenId = await (await registerPlayer(server.url)).launch({ name: 'Row Moon', symbol: 'ROW' })
  await player.buy(tokenId, '10')
  const { amount } = await onlyHolding(player)
  const page = await visit('/portfolio', { as: player })
  const open = page.getByRole('button', { name: 'Sell Row Moon' })
  const sale = part(page, 'Sell ROW')
  await open.focus()
  await page.keyboard.press('Enter')
  await expect(open).toHaveAttribute('aria-expanded', 'true')
  await expect(sale.getByRole('textbox', { name: 'Amount' })).toBeFocused()
  await page.keyboard.type('1')
  await page.keyboard.press('Escape')
  await expect(sale).toHaveCount(0)
  await expect(open).toBeFocused()
  await open.click()
  await expect(sale.getByRole('button', { name: 'Enter an amount to sell' })).toHaveAttribute('aria-disabled', 'true')
  await sale.getByRole('button', { name: '50%', exact: true }).click()
  await expect(sale.getByRole('definition')).toHaveCount(5)
  await sale.getByRole('button', { name: /^Sell ROW This order moves the price/ }).dblclick()
  await expectToast(page, 'Sale Successful!', 'Sold for')

  const left = await onlyHolding(player)
  const trades = await fetchTrades(server.url, tokenId)
  expect(trades.map(({ side }) => side)).toEqual(['buy', 'sell'])
  const cells = page.getByRole('table', { name: 'Holdings' }).getByRole('row').nth(1).getByRole('cell')
  await expect(cells.nth(1).getByTitle(`${left.amount} ROW`)).toBeVisible()
  await expect(cells.nth(3)).toContainText(`cash-out ${shown(left.cashOutValue)}`)
  expect(Number(left.amount)).toBeCloseTo(Number(amount) / 2, 5)
  await expect(part(page, 'Net worth')).toContainText(`${shown((await fetchNetWorth(player)).netWorth)} SOL`)

  await page.setViewportSize({ width: 375, height: 812 })
  const place = await measureAcross(open)
  expect(place.height).toBeGreaterThanOrEqual(44)
  expect(place.width).toBeLessThan(120)
  await page.getByRole('main').getByRole('link', { name: 'Dashboard' }).click()
  // The portfolio also has a button with this name.
  await expect(part(page, 'Six-hour rank')).toBeVisible()
  expect(await measureAcross(open)).toEqual(place)
  await page.setViewportSize({ width: 1280, height: 720 })
  await open.click()
  await sale.getByRole('button', { name: '100%' }).click()
  await sale.getByRole('button', { name: /^Sell ROW/ }).press('Enter')
  await expectToast(page, 'Sale Successful!', 'Sold for')
  await expect(page.getByRole('heading', { name: 'No holdings' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Holdings', exact: true })).toBeFocused()
  expect(await fetchHoldings(player)).toEqual([])
})

/** Returns a button's width and its distance from the left. */
async function measureAcross(button: Locator): Promise<{ x: number; width: number; height: number }> {
  await expect(button).toBeVisible()
  // Until the font is loaded, the fallback font has other widths.
  await button.page().evaluate(async () => void (await document.fonts.ready))
  const box = await button.boundingBox()
  if (box === null) throw new Error('the button is not there')
  const { x, width, height } = box
  return { x, width, height }
}

test('after a sale of all, the focus moves to the next holding @nightly', async ({ visit, server, player }) => {
  const creator = await registerPlayer(server.url)
  const first = await creator.launch({ name: 'First Moon', symbol: 'FIRST' })
  const last = await creator.launch({ name: 'Last Moon', symbol: 'LAST' })
  const rugged = await creator.launch({ name: 'Torn Moon', symbol: 'TORN' })
  await player.buy(first, '3')
  await player.buy(last, '1')
  await player.buy(rugged, '1')
  await creator.rug(rugged)
  const page = await visit('/portfolio', { as: player })
  await expect(liveIndicator(page)).toHaveText('Live')
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(/trading\.sell/, async (route) => {
    const response = await route.fetch()
    await held
    await route.fulfill({ response })
  })
  for (const [symbol, next] of [
    ['First', page.getByRole('button', { name: 'Sell Last Moon' })],
    ['Last', page.getByRole('heading', { name: 'Holdings', exact: true })],
  ] as const) {
    await page.getByRole('button', { name: `Sell ${symbol} Moon` }).click()
    const sale = part(page, `Sell ${symbol.toUpperCase()}`)
    await sale.getByRole('button', { name: '100%' }).click()
    await sale.getByRole('button', { name: new RegExp(`^Sell ${symbol}`, 'i') }).press('Enter')
    await expect(page.getByRole('link', { name: `${symbol} Moon` })).toHaveCount(0)
    await expect(next).toBeFocused()
  }
  letGo()
  await expectToast(page, 'Sale Successful!', 'Sold for')
})
