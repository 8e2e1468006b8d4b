import type { Page } from '@playwright/test'
import { fetchHoldings } from '../../support/holdings.ts'
import { type Player, registerPlayer } from '../../support/player.ts'
import { tradeRows } from '../../support/screen.ts'
import type { Server } from '../../support/server.ts'
import { expect, test } from '../../support/test.ts'

const bar = (page: Page) => page.getByRole('region', { name: 'Time machine' })
const slider = (page: Page) => page.getByRole('slider', { name: 'Point in time' })

/** Launches a token. Buys the token `buys` times for 1 SOL each. */
async function launchTraded(player: Player, buys: number): Promise<number> {
  const tokenId = await player.launch({ name: 'Time Tent', symbol: 'TIME' })
  for (let count = 0; count < buys; count++) await player.buy(tokenId, '1')
  return tokenId
}

/** Launches a token with two buys in the same candle as the launch. The candles of a new token are one second wide. */
async function launchInOneCandle(server: Server, player: Player): Promise<number> {
  const tokenId = await launchTraded(player, 2)
  const { createdAt } = await (await fetch(`${server.url}/api/tokens/${tokenId}`)).json()
  const together = { created_at: new Date(createdAt) }
  await server.change((db) => db.updateTable('trades').set(together).where('token_id', '=', tokenId).execute())
  return tokenId
}

async function fetchPrice(server: Server, tokenId: number): Promise<string> {
  return (await (await fetch(`${server.url}/api/tokens/${tokenId}`)).json()).currentPrice
}

async function expectMoment(page: Page, event: string): Promise<void> {
  await expect(bar(page)).toContainText(/You see the token at \w+ \w+, \d\d:\d\d(?:\s[AP]M)?, after /)
  await expect(bar(page)).toContainText(event)
}

test('a link opens a token as it was, and leads back to now @nightly', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404/)
  const tokenId = await launchTraded(player, 2)
  const price = await fetchPrice(server, tokenId)
  await player.buy(tokenId, '3')
  const page = await visit(`/token/${tokenId}?at=2`)
  await expectMoment(page, 'trade #2')
  await expect(tradeRows(page)).toHaveCount(2)
  await expect(page.locator('header').getByTitle(price)).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Buy' })).toHaveCount(0)
  await player.buy(tokenId, '1')
  await bar(page).getByRole('link', { name: 'Return to the present' }).click()
  await expect(tradeRows(page)).toHaveCount(4)
  await expect(page.getByRole('tab', { name: 'Buy' })).toBeVisible()

  await tradeRows(page)
    .nth(2)
    .getByRole('link', { name: /ago|just now/ })
    .click()
  await expect(page).toHaveURL(`/token/${tokenId}?at=2`)
  await expectMoment(page, 'trade #2')
  await player.buy(tokenId, '1')
  await expect(page.locator('header').getByTitle(price)).toBeVisible()
  await expect(tradeRows(page)).toHaveCount(2)
  await page.goto(`/token/${tokenId}?at=9`)
  await expect(page.getByRole('heading', { name: 'This event has not happened yet' })).toBeVisible()
})

test('keys, slider and replay move through a token’s life, and the URL follows @nightly', async ({ visit, player }) => {
  const tokenId = await launchTraded(player, 5)
  const page = await visit(`/token/${tokenId}?at=3`)
  await expectMoment(page, 'trade #3')
  await page.keyboard.press('ArrowLeft')
  await expectMoment(page, 'trade #2')
  await expect(page).toHaveURL(`/token/${tokenId}?at=2`)
  await page.keyboard.press('Home')
  await expectMoment(page, 'the launch')
  await expect(page.getByText('Nobody had traded yet.')).toBeVisible()
  await page.keyboard.press('Space')
  await expectMoment(page, 'trade #5')
  await expect(bar(page).getByRole('button', { name: 'Play from the launch' })).toBeVisible()
  await expect(tradeRows(page)).toHaveCount(5)

  // While the slider has focus, only the slider handles the keys.
  await slider(page).focus()
  await page.keyboard.press('ArrowLeft')
  await expectMoment(page, 'trade #4')
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /, after trade #4$/)
  await slider(page).fill('1')
  await expectMoment(page, 'trade #1')
  await expect(page).toHaveURL(`/token/${tokenId}?at=1`)
  await page.goBack()
  await expect(bar(page)).toHaveCount(0)
})

test('a candle leads to its moment, by mouse and by keyboard @nightly', async ({ visit, server, player }) => {
  const tokenId = await launchInOneCandle(server, player)
  const page = await visit(`/token/${tokenId}`)
  const chart = page.getByRole('slider', { name: /^Chart of/ })
  await chart.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/token/${tokenId}?at=2`)
  await expectMoment(page, 'trade #2')
  await page.goBack()
  // The token's page and the time machine both have this button.
  await expect(bar(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Ticks' }).click()
  await chart.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expectMoment(page, 'trade #1')
  await expect(page).toHaveURL(`/token/${tokenId}?at=1`)
  await page.getByRole('button', { name: 'Candles' }).click()
  const box = await page.getByRole('slider', { name: /^Chart of/ }).boundingBox()
  if (box === null) throw new Error('the chart has no box')
  const place = { x: box.x + 25, y: box.y + box.height / 3 }
  // A candle links to its last trade.
  await expect(async () => {
    await page.mouse.move(place.x + 1, place.y)
    await page.mouse.click(place.x, place.y)
    await expect(page).toHaveURL(`/token/${tokenId}?at=2`, { timeout: 5_000 })
  }).toPass()
  await expectMoment(page, 'trade #2')
})

test('players see what their holding would have paid @nightly', async ({ visit, server, player }) => {
  const tokenId = await (await registerPlayer(server.url)).launch({ name: 'Bag Tent', symbol: 'BAG' })
  await player.buy(tokenId, '2')
  const [held] = await fetchHoldings(player)
  const other = await registerPlayer(server.url)
  await other.buy(tokenId, '20')
  const page = await visit(`/token/${tokenId}?at=1`, { as: player })
  const bag = page.getByRole('region', { name: 'If I had sold then' })
  await expect(bag.getByTitle(`${held?.cashOutValue} SOL`)).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(bag).toContainText('You held no BAG at this time.')
  const guest = await visit(`/token/${tokenId}?at=1`)
  await expect(guest.getByRole('region', { name: 'If I had sold then' })).toContainText('Log in to see')
})
