import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { authForm, balanceButton, expectToast, tokenCards } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

test('a button keeps the focus while it waits for an answer', async ({ visit, player }) => {
  const page = await visit('/auth')
  const login = authForm(page, 'Login')
  await login.getByLabel('Email').fill(player.email)
  await login.getByLabel('Password', { exact: true }).fill(player.password)
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/auth.login*', async (route) => {
    await held
    await route.continue()
  })
  const submit = login.getByRole('button', { name: /^Log/ })
  await submit.focus()
  await page.keyboard.press('Enter')
  await expect(submit).toBeDisabled()
  await expect(submit).toBeFocused()
  answer()
  await expect(balanceButton(page)).toBeVisible()
})

test('the account menu gives the focus back, the first time too', async ({ visit, player }) => {
  const page = await visit('/', { as: player })
  for (const key of ['Enter', 'Space']) {
    await balanceButton(page).focus()
    await page.keyboard.press(key)
    await expect(page.getByRole('menuitem', { name: 'Dashboard' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menuitem', { name: 'Dashboard' })).toBeHidden()
    await expect(balanceButton(page)).toBeFocused()
  }
})

test('the account menu closes by a key that comes before it has taken the focus', async ({ visit, player }) => {
  const page = await visit('/', { as: player })
  const dashboard = page.getByRole('menuitem', { name: 'Dashboard' })
  await balanceButton(page).click()
  await expect(page.getByRole('menu').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dashboard).toBeHidden()
  // Faster than any real key press.
  await balanceButton(page).evaluate(async (button: HTMLElement) => {
    button.focus()
    button.click()
    await Promise.resolve()
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  })
  await expect(dashboard).toBeHidden()
  await expect(balanceButton(page)).toBeFocused()
})

test('a newly opened screen gets the focus, and typing in a search keeps it', async ({ visit, player }) => {
  const name = `Focus ${randomUUID().slice(0, 6)}`
  await player.launch({ name, symbol: 'FOCUS' })
  const page = await visit('/')
  const search = page.getByPlaceholder('Search tokens...')
  await search.pressSequentially(name.toLowerCase())
  await expect(search).toHaveValue(name.toLowerCase())
  await expect(search).toBeFocused()
  await page.getByLabel('Sort by...').selectOption({ label: 'Oldest First' })

  await tokenCards(page).filter({ hasText: name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()

  await page.goBack()
  await expect(search).toHaveValue(name.toLowerCase())
  await expect(page.getByLabel('Sort by...')).toHaveValue('oldest')
  await expect(tokenCards(page)).toHaveCount(1)

  await page.getByRole('link', { name: 'Explore' }).first().click()
  await expect(search).toHaveValue('')
  await expect(page.getByLabel('Sort by...')).toHaveValue('newest')
})

test('a launch leads to its first wrong field and says what is wrong there', async ({ visit, player }) => {
  const page = await visit('/launch', { as: player })
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  await page.getByRole('button', { name: 'Launch Token' }).last().click()
  await expectToast(page, 'Missing Information', 'Please provide token name and symbol')
  await expectWrong(page, 'Coin Name')

  await field('Coin Name').fill('Field Moon')
  await expect(field('Coin Name')).not.toHaveAttribute('aria-invalid', 'true')
  await field('Ticker').fill('FIELD')
  await field('Website').fill('moon.example')
  await field('Telegram').fill('@moon')
  await page.keyboard.press('Enter')
  await expectWrong(page, 'Telegram')

  await field('Telegram').fill('')
  await field('Initial Buy (optional, SOL)').fill('500')
  await expect(page.getByRole('button', { name: 'You do not have that much SOL' })).toBeDisabled()
  await field('Initial Buy (optional, SOL)').fill('')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Field Moon' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Website/ })).toHaveAttribute('href', 'https://moon.example/')
  await expect(page.getByRole('region', { name: 'Notifications (F8)' })).toHaveCount(1)
})

test('the confirmation of a large price impact takes the focus and returns it', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Asking Moon', symbol: 'ASKS' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  const amount = page.getByRole('textbox', { name: 'Amount in SOL' })
  const buy = page.getByRole('button', { name: /^Buy ASKS/ })
  const question = page.getByRole('alert').filter({ hasText: 'This trade alone moves the price' })
  await amount.fill('20')
  await buy.focus()
  await page.keyboard.press('Enter')
  await expect(question).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(buy).toBeFocused()

  await amount.press('Enter')
  await expect(question).toBeFocused()
  // The key that opened the question must not answer it.
  await page.keyboard.press('Enter')
  await expect(question).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'No, go back' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(amount).toBeFocused()
})

test('a long ticker and its rug dialog fit a small phone', async ({ visit, player }) => {
  const symbol = 'WWWWWWWWWW'
  const tokenId = await player.launch({ name: 'Wide Moon', symbol, initialBuyAmount: '1' })
  const page = await visit(`/token/${tokenId}`, { as: player, viewport: { width: 375, height: 667 } })
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('0.123456789')
  const receive = page.getByText('You receive').locator('xpath=following-sibling::dd')
  await expect(receive).toContainText(symbol)
  const cut = await receive.evaluate((line) => line.scrollWidth - line.clientWidth)
  expect(cut).toBeLessThanOrEqual(0)

  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Pull the rug…' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  for (const name of ['Keep it open', `Type ${symbol} first`]) {
    await expect(page.getByRole('dialog').getByRole('button', { name })).toBeInViewport({ ratio: 1 })
  }
})

async function expectWrong(page: Page, name: string): Promise<void> {
  const field = page.getByRole('textbox', { name, exact: true })
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
}
