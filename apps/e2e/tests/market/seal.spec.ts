import type { Page } from '@playwright/test'
import { expectToast } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const rug = (page: Page) => page.getByRole('button', { name: 'Pull the rug…' })
const dialog = (page: Page) => page.getByRole('dialog', { name: /seal/i })
const trade = (page: Page) => page.getByRole('region', { name: 'Trade WAX' })

test('a creator seals a token, cannot rug it, and extends the seal @nightly', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/)
  const page = await visit('/launch', { as: player })
  const promise = page.getByRole('group', { name: 'Seal (optional)' })
  await page.getByLabel('Coin Name').fill('Wax Moon')
  await page.getByLabel('Ticker').fill('WAX')
  await promise.getByRole('button', { name: '1 hour' }).click()
  await expect(page.getByText('Until the seal ends, you cannot pull the rug.')).toBeVisible()
  // Without an initial buy, there is no holding to seal.
  await expect(page.getByRole('checkbox', { name: 'Also seal my own tokens' })).toHaveCount(0)
  await page.getByLabel('Initial Buy (optional, SOL)').fill('1')
  await page.getByRole('checkbox', { name: 'Also seal my own tokens' }).check()
  await page.getByRole('button', { name: 'Launch Token' }).last().click()
  await expectToast(page, 'Token Launched!', 'Wax Moon is now live and ready to trade!')

  const { tokenId } = /\/token\/(?<tokenId>\d+)$/.exec(page.url())?.groups ?? {}
  await expect(page.getByText(/The token is sealed until .*, so you cannot pull the rug\./)).toBeVisible()
  await expect(rug(page)).toBeDisabled()
  const refused = await page.request.post(`/api/tokens/${tokenId}/rug`, {
    data: {},
    headers: { origin: new URL(page.url()).origin },
  })
  expect(refused.status()).toBe(409)
  expect(await refused.text()).toMatch(/^You have sealed this token’s liquidity until .* UTC\.$/)

  const header = page.locator('main header').first()
  await expect(header).toContainText('Sealed for 1 h, with the creator’s tokens')
  await page.getByRole('tab', { name: 'Sell' }).click()
  await expect(trade(page)).toContainText(/WAX are sealed until/)
  await expect(trade(page).getByRole('button', { name: 'Max' })).toBeDisabled()
  await expect(trade(page).getByRole('button', { name: 'All your WAX are sealed' })).toBeDisabled()
  const bag = page.getByLabel('Your holding')
  const danger = page.getByRole('region', { name: 'What if large holders sold everything?' })
  await expect(bag).toContainText(/Sealed[\d.,]+ WAX/)
  await expect(bag).not.toContainText('pays')
  await expect(danger).toContainText(/0\.00%3\.22% of the supply is sealed/)
  // Tokens that are bought later are not sealed.
  await player.buy(Number(tokenId), '1')
  await expect(bag).toContainText(/Value of the unsealed tokens if sold now0\.99/)
  await expect(danger).toContainText(/sells 3\.02% of the supply for 0\.99\d\d SOL; 3\.22% is sealed/)
  await trade(page).getByRole('button', { name: 'Max' }).click()
  await expect(trade(page).getByRole('button', { name: /^Sell WAX/ })).toBeEnabled()

  await page.getByRole('button', { name: 'Extend the seal…' }).click()
  await expect(dialog(page)).toContainText('longer at any time, but never shorter')
  await dialog(page).getByRole('button', { name: 'For ever', exact: true }).click()
  const forEver = dialog(page).getByRole('button', { name: 'Seal for ever' })
  const lost: (string | null)[] = []
  await page.route('**/trading.seal*', async (route) => {
    lost.push(route.request().postData())
    await route.abort()
  })
  await forEver.click()
  await expectToast(page, 'Result unknown', 'We don’t know whether the token was sealed.')
  await page.unrouteAll()
  const sent = page.waitForRequest('**/trading.seal*')
  await forEver.click()
  // Every attempt sends the same order with the same key.
  expect(new Set(lost)).toEqual(new Set([(await sent).postData()]))
  await expectToast(page, 'Sealed!', 'WAX is sealed for ever')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByText('The token is sealed for ever, so you cannot pull the rug.')).toBeVisible()
  await expect(rug(page)).toBeDisabled()
})
