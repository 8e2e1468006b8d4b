import type { Page } from '@playwright/test'
import { expect, test } from '../../support/test.ts'

const declaration = (page: Page) => page.getByRole('checkbox', { name: 'This account is a bot' })

test('a declared bot is marked next to its name, until it switches back @nightly', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/)
  const tokenId = await player.launch({ name: 'Cog', symbol: 'COG', initialBuyAmount: '1' })
  const settings = await visit('/developers', { as: player })
  await expect(declaration(settings)).not.toBeChecked()
  await settings.route(/account\.declareBot/, (route) => route.abort())
  await declaration(settings).click()
  await expect(settings.getByText('Could not save the setting')).toBeVisible()
  await expect(declaration(settings)).not.toBeChecked()
  await settings.unrouteAll()
  await declaration(settings).click()
  await expect(declaration(settings)).toBeChecked()
  // The switch is disabled until the server has responded.
  await expect(declaration(settings)).toBeEnabled()
  await settings.reload()
  await expect(declaration(settings)).toBeChecked()

  const guest = await visit(`/token/${tokenId}`)
  const mark = (within: Page) => within.getByRole('main').getByText('bot', { exact: true })
  // The label is next to the creator, the holder and the trader.
  await expect(mark(guest)).not.toHaveCount(0)
  await expect(guest.locator('header').getByText('bot', { exact: true })).toBeVisible()
  await guest.locator('header').getByRole('link', { name: player.username }).click()
  await expect(mark(guest).first()).toBeVisible()

  await declaration(settings).click()
  await expect(declaration(settings)).not.toBeChecked()
  await expect(declaration(settings)).toBeEnabled()
  await guest.reload()
  await expect(guest.getByRole('main').getByText(player.username, { exact: true })).toBeVisible()
  await expect(mark(guest)).toHaveCount(0)
})
