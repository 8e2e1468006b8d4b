import type { Page } from '@playwright/test'
import { type Account, fetchTrades, newAccount } from '../../support/player.ts'
import {
  balanceButton,
  countCalls,
  expectToast,
  fillRegistration,
  liveIndicator,
  tradeRows,
} from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

test('a new player launches, buys, is seen by a guest, and sells everything to the last lamport', async ({
  visit,
  server,
}) => {
  const account = newAccount()
  const page = await visit('/auth')
  await register(page, account)
  await expect(balanceButton(page)).toHaveAttribute('title', '100 SOL')

  const tokenId = await launchMoonRocket(page)
  await expect(tradeRows(page)).toHaveCount(1)

  const guest = await visit(`/token/${tokenId}`)
  await expect(liveIndicator(guest)).toHaveText('Live')
  await expect(tradeRows(guest)).toHaveCount(1)
  // The danger panel is the last part of the page to load its code and its data.
  await expect(guest.getByRole('region', { name: /^What if large holders/ })).toContainText('has launched')
  await expect(guest.getByText('No posts yet.')).toBeVisible()
  const guestCalls = countCalls(guest)

  await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('2,5')
  await page.getByRole('button', { name: 'Buy ROCKET' }).click()
  await expectToast(page, 'Purchase Successful!', 'Bought ')
  await expect(tradeRows(guest).first()).toContainText(account.username)
  await expect(tradeRows(guest).first()).toContainText('2.500000 SOL')

  await page.getByRole('tab', { name: 'Sell' }).click()
  await page.getByRole('button', { name: '100%' }).click()
  await page.getByRole('button', { name: 'Sell ROCKET' }).click()
  await expectToast(page, 'Sale Successful!', 'Sold for ')
  await expect(tradeRows(guest).first()).toContainText('Sell')
  await expect(guest.getByText('No holders yet')).toBeVisible()
  expect(guestCalls).toEqual([])

  const trades = await fetchTrades(server.url, tokenId)
  expect(trades.map(({ side }) => side)).toEqual(['buy', 'buy', 'sell'])
  const { solBalance } = await (await page.request.get('/api/auth/user')).json()
  await expect(balanceButton(page)).toHaveAttribute('title', `${solBalance} SOL`)
})

async function register(page: Page, account: Account): Promise<void> {
  await fillRegistration(page, account)
  await markPage(page)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL('/')
  await expectToast(page, 'Account created!', "You've received 100 SOL to start trading.")
  expect(await isMarked(page), 'the page was reloaded').toBe(false)
}

async function launchMoonRocket(page: Page): Promise<number> {
  await page.getByRole('banner').getByRole('link', { name: 'Launch Token' }).click()
  await page.getByLabel('Coin Name').fill('Moon Rocket')
  await page.getByLabel('Ticker').fill('rocket')
  await page.getByLabel('Initial Buy (optional, SOL)').fill('1.25')
  await page.getByRole('button', { name: 'Launch Token' }).click()
  await expect(page).toHaveURL(/\/token\/\d+$/)
  await expectToast(page, 'Token Launched!', 'Moon Rocket is now live and ready to trade!')
  await expect(page.getByRole('heading', { level: 1, name: 'Moon Rocket' })).toBeVisible()
  return Number(page.url().split('/').at(-1))
}

async function markPage(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.dataset.marked = 'yes'
  })
}

function isMarked(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.dataset.marked === 'yes')
}
