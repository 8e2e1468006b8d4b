import { liveIndicator, tradeRows } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

test('a page whose socket code fails to load works, says Offline, and goes live when it loads', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/)
  const tokenId = await player.launch({ name: 'Late Socket', symbol: 'SOCK', initialBuyAmount: '1' })
  const page = await visit(`/token/${tokenId}`, {
    as: player,
    prepare: (it) => it.route(/\/live-client-/, (route) => route.abort()),
  })
  await expect(tradeRows(page)).toHaveCount(1)
  await expect(liveIndicator(page)).toHaveText('Offline')
  await player.buy(tokenId, '2')
  await page.unrouteAll()
  await expect(liveIndicator(page)).toHaveText('Live')
  await expect(tradeRows(page)).toContainText(['2.000000 SOL', '1.000000 SOL'])
})
