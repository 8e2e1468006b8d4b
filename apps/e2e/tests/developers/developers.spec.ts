import type { Page } from '@playwright/test'
import { authForm, expectToast, paste } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

test('a guest logs in for a key, and sees it in the code until leaving @nightly', async ({ visit, server, player }) => {
  const page = await visit('/docs', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByRole('link', { name: 'Developers start here.' }).click()
  await page.getByRole('link', { name: 'Log in and return here' }).click()
  const form = authForm(page, 'Login')
  await form.getByLabel('Email').fill(player.email)
  await form.getByLabel('Password', { exact: true }).fill(player.password)
  await form.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/developers')

  const main = page.getByRole('main')
  await expect(main.locator('pre', { hasText: 'Bearer pm_YOUR_KEY' }).first()).toBeVisible()
  await main.getByLabel('Key name').fill('Guided bot')
  await main.getByRole('button', { name: 'Create key' }).click()
  const key = (await page.getByRole('region', { name: 'New key: Guided bot' }).locator('code').textContent()) ?? ''
  expect(key).toMatch(/^pm_/)
  const order = main.locator('pre', { hasText: 'Idempotency-Key: my-first-buy' })
  await expect(order).toContainText(`Bearer ${key}`)
  await expect(order).toContainText(`${server.url}/api/tokens/buy`)
  await order.locator('..').getByRole('button', { name: /^Copy/ }).click()
  await expectToast(page, 'Copied!', 'Code copied to clipboard')
  expect(await paste(page)).toContain(`Bearer ${key}`)

  await page.reload()
  await expect(main.locator('pre', { hasText: 'Bearer pm_YOUR_KEY' }).first()).toBeVisible()
  await expect(page.getByText(key)).toHaveCount(0)
})

test('one choice of a language shows all code in it, and is kept @nightly', async ({ visit }) => {
  const page = await visit('/docs')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Developers' }).click()
  const choices = page.getByRole('group', { name: 'Language' })
  await choices.last().getByRole('button', { name: 'Python' }).click()
  await expect(choices.first().getByRole('button', { name: 'Python' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText('import urllib.request').first()).toBeVisible()
  await page.reload()
  await expect(choices.first().getByRole('button', { name: 'Python' })).toHaveAttribute('aria-pressed', 'true')
})

test('the console shows events as they happen, filtered and paused @nightly', async ({ visit, player }) => {
  const watched = await player.launch({ name: 'Watched Moon', symbol: 'WATCHED' })
  const other = await player.launch({ name: 'Other Moon', symbol: 'OTHER' })
  const page = await visit('/developers')
  const console = page.getByRole('region', { name: 'Live events' })
  await console.getByLabel('Tokens').fill(String(watched))
  await console.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(console.getByRole('status')).toHaveText('Live')
  await player.buy(other, '1')
  await player.buy(watched, '2')
  const rows = console.getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(`${player.username} bought for 2.0000 SOL`)
  await rows.locator('summary').click()
  await expect(rows.locator('pre')).toContainText(`"tokenId": ${watched}`)

  await expectClosedWhileHidden(page)
  await setHidden(page, false)
  await expect(console.getByRole('status')).toHaveText('Live')
  await player.buy(watched, '2.5')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('bought for 2.5000 SOL')

  await console.getByRole('button', { name: 'Pause' }).click()
  await player.buy(watched, '3')
  await expect(console).toContainText('1 waiting')
  await expect(rows).toHaveCount(2)
  await console.getByRole('button', { name: 'Resume' }).click()
  await expect(rows).toHaveCount(3)
  await console.getByRole('button', { name: 'Clear' }).click()
  await expect(rows).toHaveCount(0)
  await console.getByRole('button', { name: 'Disconnect' }).click()
  await expect(console.getByRole('status')).toHaveText('Not connected')
})

/**
 * Hides the page as if the player had left its tab. A hidden page must close its streams, because six open streams
 * would block a site over HTTP/1.1.
 */
async function expectClosedWhileHidden(page: Page): Promise<void> {
  const closed = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/events'))
  await setHidden(page, true)
  await closed
}

async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
}
