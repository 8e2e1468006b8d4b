import { registerPlayer } from '../../support/player.ts'
import { balanceButton, liveIndicator, tokenCards, tradeRows } from '../../support/screen.ts'
import { expect, SERVER_DOWN, test } from '../../support/test.ts'

test('pages say that the server is unreachable, and later catch up with what they missed', { tag: '@chaos' }, async ({
  visit,
  ownServer,
  expectedErrors,
}) => {
  expectedErrors.push(...SERVER_DOWN)
  const player = await registerPlayer(ownServer.url)
  const tokenId = await player.launch({ name: 'Lights Out', symbol: 'LIGHTS', initialBuyAmount: '1' })
  const home = await visit(ownServer.url)
  const page = await visit(`${ownServer.url}/token/${tokenId}`, { as: player })
  for (const open of [home, page]) await expect(liveIndicator(open)).toHaveText('Live')
  await expect(tradeRows(page)).toHaveCount(1)
  await expect(balanceButton(page)).toHaveAttribute('title', '98.98 SOL')
  await expect(page.locator('canvas').first()).toBeVisible()
  const posts = page.getByRole('region', { name: 'Talk', exact: true }).getByRole('article')
  await player.say(tokenId, 'Somebody is at the switch')
  await expect(posts).toHaveCount(1)

  await ownServer.stop()
  for (const open of [home, page]) {
    await expect(liveIndicator(open)).toHaveText('Offline')
    await expect(open.getByText(/^Offline\. Figures are from/)).toBeVisible()
  }
  await ownServer.withSibling(async (url) => {
    await player.at(url).buy(tokenId, '2')
    await player.at(url).buy(tokenId, '3')
    await player.at(url).say(tokenId, 'Now nobody sees a thing')
    await player.at(url).say(tokenId, 'Bring candles and a match')
    await player.at(url).launch({ name: 'Born In The Dark', symbol: 'DARK' })
  })
  await expect(tradeRows(page)).toHaveCount(1)

  await ownServer.start()
  for (const open of [home, page]) await expect(liveIndicator(open)).toHaveText('Live')
  await expect(page.getByText('Figures are from')).toHaveCount(0)
  await expect(tradeRows(page)).toContainText(['3.000000 SOL', '2.000000 SOL', '1.000000 SOL'])
  await expect(balanceButton(page)).toHaveAttribute('title', '93.96 SOL')
  await expect(posts).toContainText([/candles/, /Now nobody/, /switch/])
  await expect(posts).toHaveCount(3)
  await expect(tokenCards(home)).toContainText(['Born In The Dark', 'Lights Out'])
})
