import { sellAll } from '../../support/holdings.ts'
import { registerPlayer } from '../../support/player.ts'
import { expectToast, liveIndicator, paste } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

test('a closed position with a profit offers its card @nightly', async ({ visit, server, player }) => {
  const creator = await registerPlayer(server.url)
  const tokenId = await creator.launch({ name: 'Winner Moon', symbol: 'WINS' })
  await player.buy(tokenId, '2')
  await creator.buy(tokenId, '5')
  const page = await visit(`/token/${tokenId}`, { as: player, permissions: ['clipboard-read', 'clipboard-write'] })
  const panel = page.getByRole('region', { name: 'You won with WINS' })
  await expect(page.getByRole('region', { name: 'Trade WINS' })).toBeVisible()
  await expect(panel).toHaveCount(0)
  await expect(liveIndicator(page)).toHaveText('Live')
  await sellAll(player, tokenId)
  await expect(panel).toContainText('You sold all your tokens. Your result after')
  await panel.scrollIntoViewIfNeeded()
  await expect(panel.getByRole('img')).toHaveJSProperty('naturalWidth', 1_200)
  await panel.getByRole('button', { name: 'Share the card' }).click()
  await expectToast(page, 'Copied!', 'Link to the card')
  expect(await paste(page)).toMatch(new RegExp(`/og/closed/${tokenId}/\\d+\\.png$`))
})
