import type { Page } from '@playwright/test'
import { expectedBalance } from '../../support/expected-balance.ts'
import { type Account, fetchTrades, newAccount } from '../../support/player.ts'
import {
  balanceButton,
  countCalls,
  expectDangerPanel,
  expectToast,
  fillRegistration,
  liveIndicator,
  tradeRows,
} from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

/** Max delay from a trade's commit until it is on everybody's page. A stall of the machine may delay one of two. */
const NEWS_MAX_MS = 1_000

test('from registration to the last lamport: launch, buy, be seen, sell', async ({ visit, server }) => {
  const account = newAccount()
  const page = await visit('/auth')
  await register(page, account)
  await expect(balanceButton(page)).toHaveAttribute('title', '100 SOL')

  const tokenId = await launchMoonRocket(page)
  await expect(tradeRows(page)).toHaveCount(1)

  const guest = await visit(`/token/${tokenId}`)
  await expect(liveIndicator(guest)).toHaveText('Live')
  await expect(tradeRows(guest)).toHaveCount(1)
  await expectDangerPanel(guest)
  const guestCalls = countCalls(guest)
  const [boughtSeenMs, soldSeenMs] = [whenRows(guest, 2), whenRows(guest, 3)]

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
  const [, boughtMs = 0, soldMs = 0] = trades.map(({ createdAt }) => Date.parse(createdAt))
  expect(Math.min((await boughtSeenMs) - boughtMs, (await soldSeenMs) - soldMs)).toBeLessThan(NEWS_MAX_MS)
  const { solBalance } = await (await page.request.get('/api/auth/user')).json()
  expect(solBalance).toBe(expectedBalance(trades))
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

/** When the page's trading history reached `count` rows, ms since the epoch. */
function whenRows(page: Page, count: number): Promise<number> {
  return page.evaluate((wanted) => {
    const cells = () => document.querySelectorAll('[role=table] [role=row]:has([role=cell])').length
    return new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        if (cells() < wanted) return
        observer.disconnect()
        resolve(Date.now())
      })
      observer.observe(document.body, { childList: true, subtree: true })
    })
  }, count)
}

async function markPage(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.dataset.marked = 'yes'
  })
}

function isMarked(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.dataset.marked === 'yes')
}
