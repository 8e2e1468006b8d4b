import { registerPlayer } from '../../support/player.ts'
import { countCalls, expectToast } from '../../support/screen.ts'
import type { Server } from '../../support/server.ts'
import { expect, test } from '../../support/test.ts'

test('only holders find a hidden token, and they can sell it @nightly', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404/)
  const tokenId = await (await registerPlayer(server.url)).launch({ name: 'Veiled Moon', symbol: 'VEIL' })
  await player.buy(tokenId, '3')
  await hide(server, tokenId)
  const stranger = await visit(`/token/${tokenId}`)
  await expect(stranger.getByRole('heading', { name: 'Token not found' })).toBeVisible()

  const list = await visit('/portfolio', { as: player })
  const calls = countCalls(list)
  await list.getByRole('button', { name: 'Sell Veiled Moon' }).click()
  const row = list.getByRole('region', { name: 'Sell VEIL' })
  await row.getByRole('button', { name: '50%' }).click()
  await row.getByRole('button', { name: /^Sell VEIL/ }).click()
  await expectToast(list, 'Sale Successful!', 'Sold for')
  expect(calls.filter((path) => path.includes('tokens.get'))).toEqual([])
  await list.getByRole('table', { name: 'Holdings' }).getByRole('link', { name: 'Veiled Moon' }).click()
  await expect(list).toHaveURL(`/token/${tokenId}`)
  const page = await visit(`/token/${tokenId}`, { as: player })
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Veiled Moon')
  await expect(page.getByText('An operator has hidden this token.')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Buy' })).toHaveCount(0)
  const sale = page.getByRole('region', { name: 'Sell VEIL' })
  await sale.getByRole('button', { name: '50%' }).click()
  const held = await page.getByText(/^An operator/).textContent()
  await sale.getByRole('button', { name: /^Sell VEIL/ }).click()
  await expectToast(page, 'Sale Successful!', 'Sold for')
  await expect(page.getByText(/^An operator/)).not.toHaveText(held ?? '')

  await sale.getByRole('button', { name: '100%' }).click()
  await sale.getByRole('button', { name: /^Sell VEIL/ }).click()
  await expect(page.getByRole('heading', { name: 'Token not found' })).toBeVisible()
})

/** Hides a token and waits until the server's cached queries are updated. */
async function hide(server: Server, tokenId: number): Promise<void> {
  await server.admin('hide', String(tokenId))
  await expect.poll(async () => (await fetch(`${server.url}/api/tokens/${tokenId}`)).status).toBe(404)
}
