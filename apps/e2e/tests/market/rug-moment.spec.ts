import type { Page } from '@playwright/test'
import { registerPlayer } from '../../support/player.ts'
import { expectToast, liveIndicator, paste } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const stamp = (page: Page) => page.locator('[data-moves]')

test('a rug pulled before one’s eyes is stamped, shaken and told, and its story is shared by a link', async ({
  visit,
  server,
  player,
}) => {
  const creator = await registerPlayer(server.url)
  const tokenId = await creator.launch({ name: 'Trapdoor', symbol: 'TRAP', initialBuyAmount: '2' })
  const page = await visit(`/token/${tokenId}`, {
    as: player,
    reducedMotion: 'no-preference',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await expect(liveIndicator(page)).toHaveText('Live')
  await creator.rug(tokenId)
  await expect(stamp(page)).toHaveAttribute('data-moves', 'true')
  await expect(page.getByText('The rug was pulled: TRAP is closed for good, its price is 0.')).toHaveRole('status')
  // It goes by itself, and a later visit is spared.
  await expect(stamp(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Share the story' }).click()
  await expectToast(page, 'Copied!', 'Link to the story')
  expect(await paste(page)).toBe(`${server.url}/token/${tokenId}`)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Share the story' })).toBeVisible()
  await expect(stamp(page)).toHaveCount(0)
})

test('under reduced motion only a still stamp is shown, and nothing moves for it', async ({
  visit,
  server,
  player,
}) => {
  const creator = await registerPlayer(server.url)
  const tokenId = await creator.launch({ name: 'Quiet Trapdoor', symbol: 'HUSH', initialBuyAmount: '2' })
  const page = await visit(`/token/${tokenId}`, { as: player, reducedMotion: 'reduce' })
  await expect(liveIndicator(page)).toHaveText('Live')
  await creator.rug(tokenId)
  await expect(stamp(page)).toHaveAttribute('data-moves', 'false')
  await expect(stamp(page).locator('span')).toHaveText(['Rugged'])
  const moving = await page.evaluate(
    () => document.getAnimations().filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 0).length,
  )
  expect(moving).toBe(0)
})
