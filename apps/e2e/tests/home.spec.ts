import { randomUUID } from 'node:crypto'
import { registerPlayer } from '../support/player.ts'
import { countCalls, liveIndicator, tokenCards } from '../support/screen.ts'
import { expect, test } from '../support/test.ts'

test('tokens are found by name or symbol in any case, and sorted four ways', async ({ visit, server, player }) => {
  const mark = randomUUID().slice(0, 6)
  const [old, dear, fresh] = [`Old ${mark}`, `Dear ${mark}`, `Fresh ${mark}`]
  await player.launch({ name: old, symbol: 'OLD', initialBuyAmount: '1' })
  const symbol = `D${mark}`.toUpperCase()
  await player.launch({ name: dear, symbol, initialBuyAmount: '5' })
  await player.launch({ name: fresh, symbol: 'FRESH' })

  const page = await visit(server.url)
  const search = page.getByPlaceholder('Search tokens...')
  await search.fill(mark.toUpperCase())
  await expect(tokenCards(page)).toContainText([fresh, dear, old])
  const orders = {
    'Oldest First': [old, dear, fresh],
    'Market Cap (High)': [dear, old, fresh],
    'Market Cap (Low)': [fresh, old, dear],
    'Newest First': [fresh, dear, old],
  }
  for (const [label, names] of Object.entries(orders)) {
    await page.getByLabel('Sort by...').selectOption({ label })
    await expect(tokenCards(page)).toContainText(names)
  }

  await search.fill(symbol.toLowerCase())
  await expect(tokenCards(page)).toContainText([dear])
  await search.fill('no token has such a name')
  await expect(page.getByRole('heading', { name: 'No tokens found' })).toBeVisible()
  await expect(tokenCards(page)).toHaveCount(0)
})

test('a card leads to its token', async ({ visit, player }) => {
  const name = `Door ${randomUUID().slice(0, 6)}`
  const tokenId = await player.launch({ name, symbol: 'DOOR', emoji: '🚪' })
  const page = await visit('/')
  await tokenCards(page).filter({ hasText: name }).click()
  await expect(page).toHaveURL(`/token/${tokenId}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('another player’s launch and trades appear without a reload', async ({ visit, player }) => {
  const page = await visit('/')
  await expect(liveIndicator(page)).toHaveText('Live')
  await expect(tokenCards(page).or(page.getByText('No tokens found')).first()).toBeVisible()
  const calls = countCalls(page)
  const name = `News ${randomUUID().slice(0, 6)}`
  const tokenId = await player.launch({ name, symbol: 'NEWS' })
  const card = tokenCards(page).filter({ hasText: name })
  await expect(card).toContainText('$6.0K')
  await player.buy(tokenId, '10')
  await expect(card).toContainText('$10.7K')
  expect(calls).toEqual([])
})

test('an empty market invites to the first launch', async ({ visit, ownServer }) => {
  const page = await visit(ownServer.url)
  await expect(page.getByRole('heading', { name: 'No tokens found' })).toBeVisible()
  await expect(page.getByText('Be the first to launch a token!')).toBeVisible()

  const first = await registerPlayer(ownServer.url)
  const theirs = await visit(ownServer.url, { as: first })
  await theirs.getByRole('main').getByRole('link', { name: 'Launch Token' }).click()
  await expect(theirs).toHaveURL(`${ownServer.url}/launch`)
  await expect(theirs.getByLabel('Coin Name')).toBeVisible()
})

test('an address that leads nowhere says so', async ({ visit, expectedErrors }) => {
  expectedErrors.push(/status of 404/)
  const page = await visit('/no/such/tent')
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
})
