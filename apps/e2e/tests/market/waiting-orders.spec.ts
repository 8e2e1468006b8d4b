import { type Player, registerPlayer } from '../../support/player.ts'
import { balanceButton, expectToast, liveIndicator } from '../../support/screen.ts'
import { expect, SERVER_DOWN, test } from '../../support/test.ts'

const phone = { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true }
const orders = { name: 'Your waiting orders' }

/** Makes another player launch a token and buy most of it. */
async function launch(url: string, symbol: string): Promise<{ other: Player; tokenId: number }> {
  const other = await registerPlayer(url)
  return { other, tokenId: await other.launch({ name: 'Wait Moon', symbol, initialBuyAmount: '30' }) }
}

test('a limit buy takes five taps on a phone, and is filled by a sale', async ({ visit, player, server }) => {
  const { other, tokenId } = await launch(server.url, 'WAIT')
  const page = await visit(`/token/${tokenId}`, { as: player, ...phone })
  await page.getByRole('button', { name: 'Buy', exact: true }).tap()
  const sheet = page.getByRole('dialog', { name: 'Buy or sell WAIT' })
  await sheet.getByRole('button', { name: 'Limit' }).tap()
  await sheet.getByRole('group', { name: 'Quick buy' }).getByRole('button', { name: '1 SOL', exact: true }).tap()
  await sheet.getByRole('button', { name: '−10%' }).tap()
  await expect(sheet).toContainText(/The order starts to fill at .*You pay at most 1\.000000 SOL\./)
  await expect(sheet).toContainText('Your SOL is not reserved.')
  await sheet.getByRole('button', { name: 'Place limit buy' }).tap()
  await expectToast(page, 'Order placed', 'Limit buy for WAIT.')
  const list = sheet.getByRole('region', orders)
  await expect(list).toContainText(/Limit buy · 1\.000000 SOL.*−1\d\.\d% away/)
  await other.sell(tokenId, '200000000')
  await expectToast(page, 'Your limit buy for WAIT was filled', 'You got your price or a better one.')
  await expect(list).toHaveCount(0)
  await expect(page.getByLabel('Your holding')).toContainText('WAIT')
})

test('a waiting order is changed, cancelled and rejected @nightly', async ({
  visit,
  player,
  expectedErrors,
  server,
}) => {
  expectedErrors.push(/status of 422/)
  const { tokenId } = await launch(server.url, 'WHY')
  const page = await visit(`/token/${tokenId}`, { as: player })
  const panel = page.getByRole('region', { name: 'Trade WHY' })
  await panel.getByRole('button', { name: 'Limit' }).click()
  await panel.getByRole('textbox', { name: 'Amount in SOL' }).fill('1000')
  await panel.getByRole('button', { name: '−20%' }).click()
  await panel.getByRole('button', { name: 'Place limit buy' }).click()
  await expectToast(page, 'Could not place the order', 'Insufficient balance')
  await panel.getByRole('textbox', { name: 'Amount in SOL' }).fill('2')
  await panel.getByRole('button', { name: 'Place limit buy' }).click()
  await expect(panel.getByRole('region', orders)).toContainText('Limit buy · 2')
  await panel.getByRole('button', { name: 'Change the limit buy' }).click()
  await panel.getByRole('textbox', { name: 'Amount in SOL' }).fill('3')
  await panel.getByRole('button', { name: 'Change limit buy' }).click()
  await expect(panel.getByRole('region', orders)).toContainText('Limit buy · 3')
  await expect(panel.getByRole('button', { name: 'Change the limit buy' })).toHaveCount(1)
  await page.goto('/portfolio')
  await expect(page.getByRole('region', orders)).toContainText(/WHY · Limit buy/)
  await page.getByRole('link', { name: 'Change the limit buy' }).click()
  await expect(panel.getByRole('textbox', { name: 'Amount in SOL' })).toHaveValue('3')
  await page.goto('/portfolio')
  await page.getByRole('button', { name: 'Cancel the limit buy' }).click()
  await expect(page.getByRole('region', orders)).toHaveCount(0)
})

test('an order that is filled during its change offers the rest @nightly', async ({
  visit,
  player,
  expectedErrors,
  server,
}) => {
  expectedErrors.push(/status of 409/)
  const { other, tokenId } = await launch(server.url, 'PART')
  await player.placeBuy(tokenId, '40', '0.0000001')
  const page = await visit(`/token/${tokenId}`, { as: player })
  const panel = page.getByRole('region', { name: 'Trade PART' })
  await panel.getByRole('button', { name: 'Change the limit buy' }).click()
  const amount = panel.getByRole('textbox', { name: 'Amount in SOL' })
  await expect(amount).toHaveValue('40')
  await page.route(
    /waitingOrders\.place/,
    async (route) => {
      await other.sell(tokenId, '200000000')
      await route.continue()
    },
    { times: 1 },
  )
  await panel.getByRole('button', { name: 'Change limit buy' }).click()
  await expectToast(page, 'Could not place the order', 'Part of the order was filled in the meantime. ')
  await expect(panel).toContainText('Part of the order was filled. The form shows the rest.')
  const rest = await amount.inputValue()
  expect(Number(rest)).toBeLessThan(40)
  await panel.getByRole('button', { name: 'Change limit buy' }).click()
  await expectToast(page, 'Order placed', 'Limit buy for PART.')
  expect(await player.call('/api/waiting-orders')).toMatchObject([{ left: rest, amount: rest }])
})

test('a holding is protected with two taps on its row of the portfolio @nightly', async ({ visit, player, server }) => {
  const { other, tokenId } = await launch(server.url, 'SAFE')
  await player.buy(tokenId, '2')
  const page = await visit('/portfolio', { as: player, ...phone })
  await page.getByRole('button', { name: 'Sell Wait Moon' }).tap()
  const later = page.getByRole('group', { name: 'Sell later' })
  await expect(later).toContainText(
    'Protect sells at most 10% below the trigger. If the price falls further, the rest of the order stays open.',
  )
  await page.getByRole('button', { name: 'Protect: sell all at −10%' }).tap()
  await expectToast(page, 'Order placed', 'Stop for SAFE.')
  await expect(page.getByRole('region', orders)).toContainText(/SAFE · Stop/)
  await later.getByLabel('Protect: sell at any price').check()
  await expect(later).toContainText('Protect sells at any price.')
  await page.getByRole('button', { name: 'Protect: sell all at −10%' }).tap()
  await expect(page.getByRole('region', orders).getByRole('listitem')).toHaveCount(2)
  const placed: { leastPrice: string | null }[] = await player.call('/api/waiting-orders')
  expect(placed.map(({ leastPrice }) => leastPrice)).toEqual([null, expect.any(String)])
  await page.getByRole('button', { name: 'Take profit: sell all at +50%' }).tap()
  await expect(page.getByRole('region', orders)).toContainText(/Limit sell/)
  await other.sell(tokenId, '28000000')
  await expect(page.getByText('No holdings')).toBeVisible()
})

test('dragging a line in the chart changes its order, and a tap on the line opens the order', async ({
  visit,
  player,
  server,
}) => {
  const { other, tokenId } = await launch(server.url, 'DRAG')
  await other.sell(tokenId, '300000000')
  await player.placeBuy(tokenId, '2', '0.00000003')
  const page = await visit(`/token/${tokenId}`, { as: player })
  const panel = page.getByRole('region', { name: 'Trade DRAG' })
  const line = page.getByRole('button', { name: 'Change: Buy 2.00 SOL' })
  const box = await line.boundingBox()
  if (box === null) throw new Error('the line has no label')
  await page.mouse.move(box.x + 10, box.y + 8)
  await page.mouse.down()
  await page.mouse.move(box.x + 10, box.y - 12, { steps: 4 })
  await page.mouse.up()
  const price = panel.getByRole('textbox', { name: 'Buy at or below' })
  await expect(price).not.toHaveValue('0.00000003')
  const moved = await price.inputValue()
  expect(Number(moved)).toBeGreaterThan(0.00000003)
  await panel.getByRole('button', { name: 'Change limit buy' }).click()
  await expectToast(page, 'Order placed', 'Limit buy for DRAG.')
  const small = await visit(`/token/${tokenId}`, { as: player, ...phone })
  await small.getByRole('button', { name: 'Change: Buy 2.00 SOL' }).tap()
  const sheet = small.getByRole('dialog', { name: 'Buy or sell DRAG' })
  await expect(sheet.getByRole('textbox', { name: 'Buy at or below' })).toHaveValue(moved)
})

test('an order that was filled while its player was offline is shown and announced when the player returns', {
  tag: '@chaos',
}, async ({ visit, ownServer, expectedErrors }) => {
  expectedErrors.push(...SERVER_DOWN)
  const player = await registerPlayer(ownServer.url)
  const { other, tokenId } = await launch(ownServer.url, 'GONE')
  await player.placeBuy(tokenId, '2', '0.0000001')
  await player.placeBuy(tokenId, '1', '0.00000001')
  const page = await visit(`${ownServer.url}/token/${tokenId}`, { as: player })
  const rows = page.getByRole('region', orders).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(liveIndicator(page)).toHaveText('Live')
  await ownServer.stop()
  await expect(liveIndicator(page)).toHaveText('Offline')
  await ownServer.withSibling(async (url) => await other.at(url).sell(tokenId, '200000000'))
  await expect(rows).toHaveCount(2)
  await ownServer.start()
  await expectToast(page, 'Your limit buy for GONE was filled', 'You got your price or a better one.')
  await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Limit buy · 1')
  await expect(balanceButton(page)).toHaveAttribute('title', '98 SOL')
  await expect(page.getByLabel('Your holding')).toContainText('GONE')
})
