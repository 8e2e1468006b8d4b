import { randomUUID } from 'node:crypto'
import type { Page, Route } from '@playwright/test'
import { fetchHoldings, fetchId } from '../../support/holdings.ts'
import { registerPlayer } from '../../support/player.ts'
import { balanceButton, expectToast, holdCalls, themeColor, tokenCards, tradeRows } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

test('the home page has its headline, search and sort, and blank cards while it loads', async ({ visit }) => {
  let answer = async () => {}
  const page = await visit('/', {
    prepare: async (it) => {
      answer = await holdCalls(it, /tokens\.list/)
    },
  })
  const waiting = page.getByRole('status').filter({ hasText: 'Loading tokens' })
  await expect(waiting.locator('li')).toHaveCount(6)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('trade like a millionaire')
  await expect(page.getByText('A simulated launchpad with off-chain AMM trading and real-time charts.')).toBeVisible()
  await expect(page.getByPlaceholder('Search tokens...')).toHaveValue('')
  const sort = page.getByLabel('Sort by...')
  await expect(sort).toHaveValue('newest')
  await expect(sort.locator('option:not([hidden])')).toHaveText([
    'Newest First',
    'Oldest First',
    'Market Cap (High)',
    'Market Cap (Low)',
    'Last Trade',
  ])
  expect((await sort.boundingBox())?.width).toBe(200)
  await answer()
  await expect(waiting).toHaveCount(0)
})

test('cards show a token’s figures, in one, two or three columns', async ({ visit, player }) => {
  const name = `Card ${randomUUID().slice(0, 6)}`
  const tokenId = await player.launch({ name, symbol: 'CARD', emoji: '🃏', initialBuyAmount: '10' })
  await player.launch({ name: `${name} plain`, symbol: 'PLAIN' })
  await player.launch({ name: `${name} third`, symbol: 'THIRD' })
  const page = await visit(`/?q=${encodeURIComponent(name)}`, { reducedMotion: 'no-preference' })
  const [plain, card] = [tokenCards(page).nth(1), tokenCards(page).nth(2)]
  await expect(card).toContainText(/🃏.*Card .*CARD.*\$10\.7K.*▲\+\d+\.\d\d%.*SOL/)
  await expect(card.getByTitle('Market cap $10.7K. Supply 1.00B.')).toBeVisible()
  await expect(card).toContainText('Supply 1.00B')
  await expect(plain).toContainText(/🪙.*PLAIN.*\$6\.0K.*0\.00%/)
  await expect(card.getByText(/\d%$/)).toHaveCSS('color', await themeColor(page, '--pm-up'))
  await expect(plain.getByText(/\d%$/)).toHaveCSS('color', await themeColor(page, '--pm-dim'))

  const items = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: name })
    .filter({ has: page.getByTitle(/Supply/) })
  await expect(items).toHaveCount(3)
  expect(await items.evaluateAll((all) => all.map((item) => getComputedStyle(item).animationDelay))).toEqual([
    '0s',
    '0.05s',
    '0.1s',
  ])
  for (const [width, columns] of [
    [375, 1],
    [800, 2],
    [1280, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    const tops = await items.evaluateAll((all) => all.map((item) => (item as HTMLElement).offsetTop))
    expect(tops.filter((top) => top === tops[0])).toHaveLength(columns)
  }

  await player.rug(tokenId)
  await page.goto(`/token/${tokenId}`)
  const fallen = page.getByRole('region', { name: 'Chart' }).getByText('−100.00%')
  await expect(fallen).toHaveCSS('color', await themeColor(page, '--pm-down'))
})

test('a token’s page shows a skeleton, then the token', async ({ visit, player }) => {
  const { id } = await player.call('/api/tokens/launch', {
    name: 'Whole Moon',
    symbol: 'whole',
    emoji: '🌕',
    description: 'All of it.',
    website: 'https://moon.example/',
    telegram: 'https://t.me/moon',
    initialBuyAmount: 10,
  })
  let answer = async () => {}
  const page = await visit(`/token/${id}`, {
    prepare: async (it) => {
      answer = await holdCalls(it, /tokens\.get/)
    },
  })
  await expect(page.getByText('Loading token')).toBeAttached()
  await answer()
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1, name: 'Whole Moon' })).toBeVisible()
  await expect(page.getByText('Loading token')).toHaveCount(0)
  await expect(main.locator('header')).toContainText(/🌕.*Whole Moon.*WHOLE.*created by.*Price.*0\.0.*SOL.*\$10\.7K/)
  await expect(main.locator('header').getByRole('link', { name: player.username })).toHaveAttribute(
    'href',
    `/user/${await fetchId(player)}`,
  )
  const about = page.getByRole('region', { name: 'About' })
  await expect(about).toContainText('All of it.')
  await expect(about.getByRole('link')).toHaveText([/Website/, /Telegram/])
  const pool = page.getByRole('region', { name: 'Pool Statistics' })
  await expect(pool.getByRole('term')).toHaveText(['SOL reserve', 'Token reserve', '24h volume', 'Market cap'])
  await expect(pool).toContainText('39.97 SOL')
  await expect(pool).toContainText('10.00 SOL')

  const chart = page.getByRole('region', { name: 'Chart' })
  const timeframes = chart.getByRole('group', { name: 'Timeframe' }).getByRole('button')
  await expect(timeframes).toHaveText(['1H', '24H', '7D', 'ALL'])
  await expect(timeframes.nth(3)).toHaveAttribute('aria-pressed', 'true')
  // A new token has no trades that are an hour old.
  await expect(timeframes.first()).toHaveAccessibleDescription(
    'The token is younger than this period, so ALL shows the same chart',
  )
  await expect(timeframes.first()).toBeDisabled()
  const figures = await chart.getByRole('term').allTextContents()
  expect(figures.slice(0, 4)).toEqual(['High', 'Low', '24h Change', 'Total Trades'])
  await expect(page.getByRole('tab', { name: /^Buy/ })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('table', { name: 'Trading History' }).getByRole('columnheader')).toHaveText([
    'Type',
    'Trader',
    'Amount',
    'Price',
    'Time',
  ])
  await expect(tradeRows(page).getByRole('link', { name: player.username })).toHaveAttribute('href', /^\/user\/\d+$/)
  const holders = page.getByRole('region', { name: 'Top Holders' }).getByRole('listitem')
  await expect(holders).toContainText(/^1p-.*creator24\d,\d{3},\d{3}\.\d\d$/)
  await expect(holders.getByRole('link')).toHaveAttribute('href', /^\/user\/\d+$/)
})

test('the 20 latest trades and the first 20 holders are listed @nightly', async ({ visit, server, player }) => {
  const tokenId = await player.launch({ name: 'Crowd Moon', symbol: 'CROWD' })
  const crowd = await Promise.all(Array.from({ length: 21 }, () => registerPlayer(server.url)))
  for (const one of crowd) await one.buy(tokenId, '0.1')
  const page = await visit(`/token/${tokenId}`)
  await expect(tradeRows(page)).toHaveCount(20)
  await expect(tradeRows(page).first()).toContainText(crowd.at(-1)?.username ?? 'somebody')
  const holders = page.getByRole('region', { name: 'Top Holders' }).getByRole('listitem')
  await expect(holders).toHaveCount(20)
  await expect(holders.first()).toContainText(crowd[0]?.username ?? 'somebody')
})

test('quick amounts fill in, and a trade reports its result', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/status of 422/)
  const tokenId = await player.launch({ name: 'Busy Moon', symbol: 'BUSY' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  const picks = (group: string) => page.getByRole('group', { name: group }).getByRole('button')
  const [sol, tokens] = [
    page.getByRole('textbox', { name: 'Amount in SOL' }),
    page.getByRole('textbox', { name: 'Amount in BUSY' }),
  ]
  await expect(page.getByRole('button', { name: 'Enter an amount to buy' })).toBeDisabled()
  await sol.fill('0')
  await expect(page.getByRole('button', { name: 'Enter an amount above 0' })).toBeDisabled()
  await expect(picks('Quick buy')).toHaveText(['1 SOL', '5 SOL', '10 SOL'])
  for (const amount of ['10', '5', '1']) {
    await page.getByRole('button', { name: `${amount} SOL`, exact: true }).click()
    await expect(sol).toHaveValue(amount)
  }
  const buy = await holdCalls(page, /trading\.buy/)
  await page.getByRole('button', { name: 'Buy BUSY' }).click()
  await expect(page.getByRole('button', { name: 'Buying...' })).toBeDisabled()
  await buy()
  await expectToast(page, 'Purchase Successful!', 'Bought 32,164,403.00 BUSY')
  await expect(sol).toHaveValue('')

  await page.getByRole('tab', { name: /^Sell/ }).click()
  await expect(picks('Quick sell')).toHaveText(['25%', '50%', '75%', '100%'])
  const [held] = await fetchHoldings(player)
  const micros = BigInt((held?.amount ?? '').replace('.', ''))
  for (const percent of [25, 50, 75, 100]) {
    await page.getByRole('button', { name: `${percent}%`, exact: true }).click()
    const micro = BigInt(`${await tokens.inputValue()}000000`.replace(/\.(\d{6}).*/, '$1'))
    expect(micro).toBe((micros * BigInt(percent)) / 100n)
  }
  await page.route(/trading\.sell/, (route) => route.fulfill(refusal('The paper is wet.')))
  await page.getByRole('button', { name: 'Sell BUSY' }).click()
  await expectToast(page, 'Sale Failed', 'The paper is wet.')
  await page.unrouteAll()
  const sell = await holdCalls(page, /trading\.sell/)
  await page.getByRole('button', { name: 'Sell BUSY' }).click()
  await expect(page.getByRole('button', { name: 'Selling...' })).toBeDisabled()
  await sell()
  await expectToast(page, 'Sale Successful!', 'Sold for 0.994008 SOL')
  await expect(tokens).toHaveValue('')

  await page.getByRole('tab', { name: /^Buy/ }).click()
  await page.route(/trading\.buy/, (route) => route.fulfill(refusal('The till is stuck.')))
  await sol.fill('1')
  await page.getByRole('button', { name: 'Buy BUSY' }).click()
  await expectToast(page, 'Purchase Failed', 'The till is stuck.')
})

test('a launch form previews the token and its emoji', async ({ visit, player }) => {
  const page = await visit('/launch', { as: player })
  await page.getByText('More: website, X and Telegram').click()
  for (const label of ['Coin Name', 'Ticker', 'Description (optional)', 'Website', 'X', 'Telegram'])
    await expect(page.getByRole('textbox', { name: label, exact: true })).toBeVisible()
  for (const perk of ['1 Billion total supply', 'Instant liquidity pool creation', '0.3% trading fee'])
    await expect(page.getByText(perk)).toBeVisible()
  const initialBuy = page.getByLabel('Initial Buy (optional, SOL)')
  await initialBuy.press('ArrowUp')
  await expect(initialBuy).toHaveValue('0.1')
  await initialBuy.press('ArrowDown')
  await initialBuy.press('ArrowDown')
  await expect(initialBuy).toHaveValue('0')

  const preview = page.getByRole('region', { name: 'Preview' })
  await page.getByLabel('Coin Name').fill('Preview Moon')
  await expect(preview).not.toContainText('Preview Moon')
  await page.getByLabel('Ticker').pressSequentially('previewmoons')
  await expect(page.getByLabel('Ticker')).toHaveValue('PREVIEWMOO')
  await expect(preview).toContainText(/Preview MoonPREVIEWMOO.*\$6\.0K/)

  await page.getByRole('button', { name: /Choose an emoji/ }).press('Enter')
  const emojis = page.getByRole('radiogroup', { name: 'Emoji' }).getByRole('radio')
  await expect.poll(() => emojis.count()).toBeGreaterThanOrEqual(140)
  await page.getByLabel('Search emojis').fill('moon')
  await expect.poll(() => emojis.count()).toBeLessThan(140)
  const names = await emojis.allInnerTexts()
  expect(names.length).toBeGreaterThan(1)
  await page.keyboard.press('Tab')
  await expect(emojis.first()).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /Choose an emoji/ })).toContainText(names[1] ?? 'an emoji')
  await expect(page.getByRole('button', { name: /Choose an emoji/ })).toBeFocused()
  await page.getByRole('button', { name: /Choose an emoji/ }).press('Enter')
  await page.getByLabel('Search emojis').fill('no such thing')
  await expect(page.getByText('No emoji found.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(emojis).toHaveCount(0)
  await expect(page.getByRole('button', { name: /Choose an emoji/ })).toBeFocused()

  await page.route(/tokens\.launch/, async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    delete answer.result.data.json.id
    await route.fulfill({ response, json: answer })
  })
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Launch/ })
    .click()
  await expectToast(page, 'Token Launched!', 'Preview Moon')
  await expect(page).toHaveURL('/')
})

test('a launch leads to its first wrong field, and reports a failure', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/status of 422/, /ERR_FAILED/)
  const page = await visit('/launch', { as: player })
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const launch = page.getByRole('main').getByRole('button', { name: /^Launch/ })
  await launch.click()
  await expectToast(page, 'Missing Information', 'Please provide token name and symbol')
  await expectWrong(page, 'Coin Name')
  await field('Coin Name').fill('Stuck Moon')
  await expect(field('Coin Name')).not.toHaveAttribute('aria-invalid', 'true')
  await field('Ticker').fill('STUCK')
  await page.getByText('More: website, X and Telegram').click()
  await field('Website').fill('moon.example')
  await field('Telegram').fill('@moon')
  await page.getByText('More: website, X and Telegram').click()
  await field('Ticker').press('Enter')
  await expectWrong(page, 'Telegram')
  await field('Telegram').fill('')
  await field('Initial Buy (optional, SOL)').fill('500')
  await expect(page.getByRole('button', { name: 'You do not have that much SOL' })).toBeDisabled()
  await field('Initial Buy (optional, SOL)').fill('')

  await page.route(/tokens\.launch/, (route) => route.fulfill(refusal('The press is jammed.')))
  await launch.click()
  await expectToast(page, 'Launch Failed', 'The press is jammed.')
  await page.unrouteAll()
  await page.route(/tokens\.launch/, (route) => route.abort())
  await launch.click()
  await expectToast(page, 'Launch Failed', 'Failed to launch token')
  await page.unrouteAll()
  const answer = await holdCalls(page, /tokens\.launch/)
  await field('Coin Name').press('Enter')
  await expect(page.getByRole('button', { name: 'Launching...' })).toBeDisabled()
  await answer()
  await expect(page).toHaveURL(/\/token\/\d+$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Stuck Moon' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Website/ })).toHaveAttribute('href', 'https://moon.example/')
  await expect(page.getByRole('region', { name: 'Notifications (F8)' })).toHaveCount(1)
})

test('a launch whose response is lost happens once, and leaves no draft', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/ERR_FAILED/)
  const page = await visit('/launch', { as: player })
  const name = page.getByRole('textbox', { name: 'Coin Name', exact: true })
  const fill = async (text: string) => {
    await name.fill(text)
    await page.getByRole('textbox', { name: 'Ticker', exact: true }).fill('TWICE')
  }
  let id = 0
  const lose = async (route: Route) => {
    id = (await (await route.fetch()).json()).result.data.json.id
    await route.abort()
  }
  await page.route(/tokens\.launch/, lose, { times: 2 })
  await fill('Lost Moon')
  await name.press('Enter')
  await expectToast(page, 'Launch Failed', 'Failed to launch token')
  await page.reload()
  await name.press('Enter')
  await expect(page).toHaveURL(`/token/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Lost Moon' })).toBeVisible()

  const launchLink = page.getByRole('link', { name: 'Launch Token' }).first()
  await launchLink.click()
  await fill('Left Moon')
  const answer = await holdCalls(page, /tokens\.launch/)
  await name.press('Enter')
  await expect(page.getByRole('button', { name: 'Launching...' })).toBeDisabled()
  await page.getByRole('link', { name: 'Papermoon, home' }).click()
  await answer()
  await expectToast(page, 'Token Launched!', 'Left Moon')
  await expect(page).toHaveURL('/')
  await launchLink.click()
  await expect(name).toHaveValue('')

  await fill('Private Moon')
  await balanceButton(page).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/auth')
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Private Moon')
})

async function expectWrong(page: Page, name: string): Promise<void> {
  const field = page.getByRole('textbox', { name, exact: true })
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
}

/** Creates a tRPC response for a rejected call. */
function refusal(message: string) {
  const data = { code: 'UNPROCESSABLE_CONTENT', httpStatus: 422, reason: 'INSUFFICIENT_LIQUIDITY' }
  return { status: 422, json: { error: { json: { message, code: -32_022, data } } } }
}
