import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Player } from '../../support/player.ts'
import { liveIndicator, tryAgain } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const sums = (page: Page) => page.getByRole('region', { name: 'Where all SOL is' })
const check = (page: Page) => page.getByRole('region', { name: 'Verify a token' })
const verify = (page: Page) =>
  check(page)
    .getByRole('button', { name: /^Verify/ })
    .click()

/** Launches a token for `player` whose journal has three more entries: the initial buy and two other trades. */
async function launchTraded(player: Player, symbol: string): Promise<number> {
  const tokenId = await player.launch({ name: `${symbol} Moon`, symbol, initialBuyAmount: '1' })
  await player.buy(tokenId, '2')
  await player.buy(tokenId, '3')
  return tokenId
}

test('a token’s chain is verified in the browser, as it grows', async ({ visit, server, player }) => {
  const tokenId = await launchTraded(player, 'DOUBT')
  const page = await visit(`/token/${tokenId}`)
  await page.getByRole('link', { name: 'Verify every trade of DOUBT' }).click()
  await expect(page).toHaveURL(`${server.url}/proof?token=${tokenId}`)
  await expect(page).toHaveTitle('Proof · Papermoon')
  await expect(check(page)).toContainText('DOUBT Moon DOUBT, 3 entries')
  await expect(liveIndicator(page)).toHaveText('Live')
  await verify(page)
  await expect(check(page)).toContainText('✓ Verified')
  await expect(check(page)).toContainText('verified 3 entries from the launch on')
  await player.buy(tokenId, '1')
  await expect(check(page)).toContainText('verified 4 entries from the launch on')
  await player.rug(tokenId)
  await expect(check(page)).toContainText('verified 5 entries from the launch on')
  await expect(check(page)).toContainText('The last entry is the rug pull')
  const { head } = await (await fetch(`${server.url}/api/tokens/${tokenId}/chain?limit=1`)).json()
  await expect(check(page).getByRole('definition')).toHaveText(head.hash)
})

test('a token is found by its name, and an unknown one is not @nightly', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404/, /ERR_FAILED/)
  const symbol = randomUUID().slice(0, 8).toUpperCase()
  const tokenId = await launchTraded(player, symbol)
  const page = await visit('/docs')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Check our balances' }).click()
  const field = check(page).getByLabel('Which token?')
  await page.route(/tokens\.list.*search/, (route) => route.abort())
  await field.pressSequentially(symbol)
  await expect(check(page).getByRole('alert')).toContainText('Could not load tokens')
  await expect(field).toHaveValue(symbol)
  await expect(field).toBeFocused()
  await page.unrouteAll()
  await tryAgain(check(page), check(page).getByRole('link', { name: symbol }))
  await check(page).getByRole('link', { name: symbol }).click()
  await expect(page).toHaveURL(`${server.url}/proof?token=${tokenId}`)
  await expect(check(page)).toContainText('3 entries')
  await page.goto('/proof?token=2000000000')
  await expect(check(page)).toContainText('Token 2000000000 does not exist')
  await expect(field).toBeVisible()
  await page.goto('/proof?token=abc')
  await expect(field).toBeVisible()
  await expect(check(page).getByRole('alert')).toHaveCount(0)
})

test('unreachable data is reported, and can be retried @nightly', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/ERR_FAILED/)
  const tokenId = await launchTraded(player, 'AWAY')
  const page = await visit(`/proof?token=${tokenId}`, {
    prepare: (it) => it.route(/proof\./, (route) => route.abort()),
  })
  const books = page.getByRole('alert').filter({ hasText: 'Could not load the sums' })
  const chain = page.getByRole('alert').filter({ hasText: 'Could not load the chain' })
  await expect(books).toBeVisible()
  await expect(chain).toBeVisible()
  await page.unrouteAll()
  await tryAgain(chain, check(page).filter({ hasText: '3 entries' }))
  await tryAgain(books, sums(page).filter({ hasText: '0, exact to the lamport' }))
  await page.route(/proof\.chain/, (route) => route.abort())
  await verify(page)
  await expect(check(page)).toContainText('The verification was interrupted after 0 entries')
  await page.unrouteAll()
  await check(page).getByRole('button', { name: 'Continue' }).click()
  await expect(check(page)).toContainText('verified 3 entries from the launch on')
})
