import type { Page } from '@playwright/test'
import { type Player, registerPlayer } from '../../support/player.ts'
import { balanceButton, countCalls, expectToast, liveIndicator } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

/** Launches a token. First `creator` buys for 1 SOL, then each player in `buys` buys for the given SOL. */
async function launchTraded(creator: Player, symbol: string, buys: readonly [Player, string][]): Promise<number> {
  const tokenId = await creator.launch({ name: `${symbol} Moon`, symbol, initialBuyAmount: '1' })
  for (const [player, sol] of buys) await player.buy(tokenId, sol)
  return tokenId
}

const opener = (page: Page) => page.getByRole('button', { name: 'Pull the rug…' })
const dialog = (page: Page) => page.getByRole('dialog', { name: /^Pull the rug on/ })
const story = (page: Page) => page.getByRole('region', { name: 'The rug was pulled' })

test('a creator pulls the rug by keyboard alone, once', async ({ visit, server, player }) => {
  const rosa = await registerPlayer(server.url)
  const tokenId = await launchTraded(player, 'KEYS', [[rosa, '5']])
  const page = await visit(`/token/${tokenId}`, { as: player })
  await opener(page).focus()
  await page.keyboard.press('Enter')
  const confirm = dialog(page).getByRole('textbox', { name: 'Type KEYS to confirm' })
  await expect(confirm).toBeFocused()
  // The creator receives 6 SOL minus the fee of 0.3 %.
  await expect(dialog(page)).toContainText('5.982000 SOL')
  await expect(dialog(page)).toContainText('$1,196.40')
  await expect(dialog(page)).toContainText('1 other player')
  await expect(dialog(page)).toContainText('KEYS closes for good')

  const calls = countCalls(page)
  await page.keyboard.press('Enter')
  await page.keyboard.type('keys')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Rug Pull Executed!', 'Drained 5.982000 SOL from liquidity')
  await expect(dialog(page)).toHaveCount(0)
  await expect(opener(page)).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Trade KEYS' })).toBeFocused()
  await expect(page.getByRole('region', { name: 'Trade KEYS' })).toContainText('This token is closed for good')
  await expect(balanceButton(page)).toHaveAttribute('title', '104.962 SOL')
  await page.getByRole('button', { name: 'Alerts for KEYS' }).click()
  const alerts = page.getByRole('dialog', { name: 'Alerts for KEYS' })
  await expect(alerts).toContainText('its price can no longer change')
  await expect(alerts.getByRole('button', { name: 'Set alert' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(story(page)).toContainText(player.username)
  await expect(story(page)).toContainText('took 5.982000 SOL')
  await expect(page.getByRole('region', { name: 'Trade KEYS' })).toContainText(
    /SOL from your rug pull5\.982000 SOL.*Gain.*\+498\.20%/,
  )
  await expect(story(page).getByRole('listitem')).toHaveCount(1)
  await expect(story(page).getByRole('listitem')).toContainText('5.000000 SOL')
  expect(calls.filter((path) => path.includes('trading.rug'))).toHaveLength(1)
})

test('a rug needs its ticker, and is pulled only once @nightly', async ({ visit, server, player, expectedErrors }) => {
  expectedErrors.push(/status of 503/)
  const rosa = await registerPlayer(server.url)
  const tokenId = await launchTraded(player, 'KEPT', [])
  const page = await visit(`/token/${tokenId}`, { as: player })
  const sent: unknown[] = []
  let isAway = true
  await page.route('**/trading.rug*', async (route) => {
    sent.push(route.request().postDataJSON())
    if (!isAway) return await route.continue()
    const data = { code: 'SERVICE_UNAVAILABLE', httpStatus: 503, reason: 'OUTCOME_UNKNOWN', retryAfterS: 0 }
    const error = { json: { message: 'We don’t know whether your order was placed.', code: -32_603, data } }
    await route.fulfill({ status: 503, json: [{ error }] })
  })
  await opener(page).click()
  await expect(dialog(page)).toContainText('Nobody else')
  const pull = dialog(page).getByRole('button', { name: 'Type KEPT first' })
  await expect(pull).toBeDisabled()
  await dialog(page).getByRole('textbox').fill('KEP')
  await pull.click({ force: true })
  await dialog(page).getByRole('textbox').press('Enter')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(opener(page)).toBeFocused()
  await opener(page).click()
  // When the dialog opens again, its field is empty.
  await expect(dialog(page).getByRole('textbox')).toHaveValue('')
  await dialog(page).getByRole('button', { name: 'Keep the token open' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('tab', { name: 'Buy' })).toBeVisible()
  expect(sent).toEqual([])

  await expect(liveIndicator(page)).toHaveText('Live')
  await opener(page).click()
  await expect(dialog(page)).toContainText('0.997000 SOL')
  await rosa.buy(tokenId, '10')
  await expect(dialog(page)).toContainText('10.967000 SOL')
  await expect(dialog(page)).toContainText('1 other player')
  await dialog(page).getByRole('textbox').fill('KEPT')
  await dialog(page).getByRole('button', { name: 'Pull the rug' }).click()
  await expectToast(page, 'Result unknown', 'We don’t know whether the rug was pulled.')
  await expect(dialog(page)).toBeVisible()
  isAway = false
  await dialog(page).getByRole('button', { name: 'Pull the rug' }).click()
  await expectToast(page, 'Rug Pull Executed!', 'Drained 10.967000 SOL from liquidity')
  // The request fails twice without a response and then succeeds. All three attempts are the same order with the same
  // key.
  expect(sent).toHaveLength(3)
  expect(new Set(sent.map((order) => JSON.stringify(order))).size).toBe(1)
})
