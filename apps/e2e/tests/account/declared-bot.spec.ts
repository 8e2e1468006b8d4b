import type { Page } from '@playwright/test'
import { sellAll } from '../../support/holdings.ts'
import { expectGoodLooks } from '../../support/looks.ts'
import { registerPlayer } from '../../support/player.ts'
import { expect, test } from '../../support/test.ts'

const declaration = (page: Page) => page.getByRole('checkbox', { name: 'This account is a bot' })
const league = (page: Page) => page.getByRole('region', { name: 'Bots’ league' })

test('a player declares a bot, is marked wherever the name stands, and switches back', async ({
  visit,
  ownServer,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/)
  const { url } = ownServer
  const [player, other] = await Promise.all([registerPlayer(url), registerPlayer(url)])
  const tokenId = await player.launch({ name: 'Cog', symbol: 'COG' })
  await player.buy(tokenId, '5')
  await other.buy(tokenId, '20')
  await sellAll(url, player, tokenId)
  await player.buy(tokenId, '1')

  const settings = await visit(`${url}/settings`, { as: player })
  await expect(declaration(settings)).not.toBeChecked()
  await settings.route(/account\.declareBot/, (route) => route.abort())
  await declaration(settings).click()
  await expect(settings.getByText('Failed to change who plays')).toBeVisible()
  await expect(declaration(settings)).not.toBeChecked()
  await settings.unrouteAll()
  await declaration(settings).click()
  await expect(declaration(settings)).toBeChecked()
  // Disabled until the server has answered.
  await expect(declaration(settings)).toBeEnabled()
  await settings.reload()
  await expect(declaration(settings)).toBeChecked()

  const guest = await visit(`${url}/token/${tokenId}`)
  const mark = (within: Page) => within.getByRole('main').getByText('bot', { exact: true })
  // Creator, holder and trader.
  await expect(mark(guest)).not.toHaveCount(0)
  await expect(guest.locator('header').getByText('bot', { exact: true })).toBeVisible()
  await guest.goto(`${url}/leaderboard`)
  await expect(league(guest)).toContainText(`${player.username} bot`)
  await expect(guest.getByRole('heading', { name: 'No Winners Yet' })).toBeVisible()
  await expectGoodLooks(guest)
  await league(guest).getByRole('link', { name: player.username }).click()
  await expect(mark(guest)).toBeVisible()

  await declaration(settings).click()
  await expect(declaration(settings)).not.toBeChecked()
  await expect(declaration(settings)).toBeEnabled()
  await guest.reload()
  await expect(guest.getByRole('main').getByText(player.username, { exact: true })).toBeVisible()
  await expect(mark(guest)).toHaveCount(0)
})
