import { expectGoodLooks, windows } from '../../support/looks.ts'
import { registerPlayer } from '../../support/player.ts'
import { expect, test } from '../../support/test.ts'

for (const [device, viewport] of Object.entries(windows)) {
  test(`a rugged token’s page becomes a court for players who lost, on a ${device}`, { tag: '@looks' }, async ({
    visit,
    server,
    player,
  }) => {
    const tokenId = await player.launch({ name: 'Sinking Tent', symbol: 'SINK' })
    const loser = await registerPlayer(server.url)
    await loser.buy(tokenId, '2')
    await player.rug(tokenId)
    const page = await visit(`/token/${tokenId}`, { as: loser, viewport })
    const court = page.getByRole('region', { name: 'The rug court' })
    await expect(court).toContainText('A verdict needs 5 votes and has 0')
    await court.getByRole('textbox', { name: /You lost 2\.00 SOL/ }).fill('I trusted that tent')
    await page.keyboard.press('Enter')
    await expect(court.getByRole('article')).toContainText('lost 2.00 SOL')
    await expect(court.getByRole('textbox')).toHaveCount(0)
    await expectGoodLooks(page)
    const creator = await visit(`/token/${tokenId}`, { as: player, viewport, scheme: 'light' })
    const answering = creator.getByRole('region', { name: 'The rug court' })
    await answering.getByRole('textbox', { name: 'Post your answer' }).fill('Tents are made to be folded')
    await creator.keyboard.press('Enter')
    await expect(court.getByRole('article')).toHaveCount(2)
    await expect(answering.getByRole('textbox')).toHaveCount(0)
    await expectGoodLooks(creator)
  })
}
