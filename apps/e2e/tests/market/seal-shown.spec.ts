import { hideServerTime } from '../../support/clock.ts'
import { expect, test } from '../../support/test.ts'

const LAST_MINUTES = /^The seal ends in 4:\d\d\. Then the creator can pull the rug\.$/

test('a guest sees a seal on card and page, sees it renewed, verifies it, and sees its last minutes counted down', async ({
  visit,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Waxed Moon', symbol: 'WAX', initialBuyAmount: '1' })
  const home = await visit('/')
  const card = home
    .getByRole('listitem')
    .filter({ hasText: 'Waxed Moon' })
    .getByRole('img', { name: /sealed/ })
  const page = await visit(`/token/${tokenId}`)
  const header = page.locator('main header')
  await expect(header).toContainText('Waxed Moon')
  await expect(card).toHaveCount(0)

  await player.call(`/api/tokens/${tokenId}/seal`, { term: 'hour' })
  await expect(header).toContainText('Sealed for 1 h')
  await expect(card.first()).toHaveAccessibleName('The liquidity is sealed for 1 hour')

  await player.call(`/api/tokens/${tokenId}/seal`, { term: 'day', bag: true })
  await expect(header).toContainText('Sealed for 1 day, with the creator’s tokens')
  await expect(header.getByRole('img')).toHaveAccessibleName(
    'The liquidity is sealed for 1 day, and the creator’s tokens are sealed for 1 day',
  )

  await home.goto(`/proof?token=${tokenId}`)
  const check = home.getByRole('region', { name: 'Verify a token' })
  await check.getByRole('button', { name: 'Verify' }).click()
  await expect(check).toContainText('✓ Verified')
  await expect(check).toContainText('2 seals verified.')

  await hideServerTime(page)
  await page.clock.install({ time: Date.now() + 86_400_000 - 5 * 60_000 })
  await page.reload()
  await expect(header.getByText(LAST_MINUTES)).toBeVisible()
  await expect(header.getByRole('status')).toHaveText('The seal ends in 5 minutes. Then the creator can pull the rug.')
  await page.clock.fastForward(5 * 60_000)
  await expect(header.getByRole('img')).toHaveCount(0)
  await expect(header.getByRole('status')).toBeEmpty()
})
