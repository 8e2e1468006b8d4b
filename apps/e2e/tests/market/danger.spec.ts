import { fetchHoldings, sellAll } from '../../support/holdings.ts'
import { expectGoodLooks, windows } from '../../support/looks.ts'
import { registerPlayer } from '../../support/player.ts'
import { expect, test } from '../../support/test.ts'

const TITLE = 'What if large holders sold everything?'

test('the danger panel names the exact fall of the price, follows each trade, and goes with the rug', async ({
  visit,
  server,
  player,
}) => {
  const rugged = await player.launch({ name: 'First Tent', symbol: 'ONE', initialBuyAmount: '2' })
  await player.rug(rugged)
  const tokenId = await player.launch({ name: 'Second Tent', symbol: 'TWO', initialBuyAmount: '5' })
  const page = await visit(`/token/${tokenId}`)
  const panel = page.getByRole('region', { name: TITLE })
  await expect(panel).toContainText(
    'The creator has launched 1 other token in the main market and rugged 1 (for 1.994000 SOL).',
  )
  await expect(panel).toContainText('Nobody else holds this token.')

  const holder = await registerPlayer(server.url)
  await holder.buy(tokenId, '10')
  await expect(panel.getByRole('term').nth(1)).toHaveText(holder.username)

  const price = async () => Number((await (await fetch(`${server.url}/api/tokens/${tokenId}`)).json()).currentPrice)
  const before = await price()
  const [held] = await fetchHoldings(holder)
  const fall = panel.getByRole('definition').nth(2)
  // The panel receives the holder's sale before the new pool, because the panel updates the pool only four times per
  // second.
  await expect(panel.getByTitle(`${held?.amount} TWO for ${held?.cashOutValue} SOL`)).toBeVisible()
  const told = await fall.textContent()
  await sellAll(holder, tokenId)
  expect(told).toContain(`${(100 * (1 - (await price()) / before)).toFixed(2)}%`)
  expect(held?.tokenId).toBe(tokenId)
  await expect(panel).toContainText('Nobody else holds this token.')

  await player.rug(tokenId)
  await expect(page.getByRole('heading', { name: 'The rug was pulled' })).toBeVisible()
  await expect(panel).toHaveCount(0)
})

for (const [device, viewport] of Object.entries(windows)) {
  test(`the danger panel and the talk come late without moving the page, fit and are accessible on a ${device}`, {
    tag: '@looks',
  }, async ({ visit, player }) => {
    const tokenId = await player.launch({ name: 'Steady Tent', symbol: 'STEADY', initialBuyAmount: '1' })
    const page = await visit('/docs', { viewport })
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/danger-panel|talk\.list/, async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`/token/${tokenId}`)
    const below = page.getByRole('region', { name: 'Top Holders' })
    const top = async () => (await below.boundingBox())?.y
    await expect(below).toContainText('3.22%')
    const before = await top()
    release()
    await expect(page.getByRole('region', { name: TITLE })).toContainText('has launched no other token')
    await expect(page.getByText('No posts yet.')).toBeVisible()
    expect(await top()).toBe(before)
    await expectGoodLooks(page)
  })
}
