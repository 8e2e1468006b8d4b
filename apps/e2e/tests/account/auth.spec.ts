import type { Locator } from '@playwright/test'
import { newAccount } from '../../support/player.ts'
import { authForm, balanceButton, countCalls, expectToast, fillRegistration, holdCalls } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

/** Console error that Chromium itself logs for a 401. */
const REFUSED = /status of 401/

async function expectRequired(form: Locator, count: number): Promise<void> {
  const inputs = form.locator('input')
  await expect(inputs).toHaveCount(count)
  for (const input of await inputs.all()) await expect(input).toHaveAttribute('required')
  await expect(form.getByLabel('Email')).toHaveAttribute('type', 'email')
}

test('a failed login says what went wrong, and a logout leads back to the login', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(REFUSED, /ERR_FAILED/)
  const page = await visit('/auth')
  await expect(page.getByRole('heading', { level: 1, name: 'Papermoon' })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText(['Login', 'Register'])
  const form = authForm(page, 'Login')
  await expectRequired(form, 2)
  // Browsers do not support passkeys at a bare IP address.
  await expect(page.getByRole('button', { name: 'Log in with a passkey' })).toHaveCount(0)
  await form.getByLabel('Email').fill(player.email)
  await form.getByLabel('Password', { exact: true }).fill(player.password)
  const submit = form.getByRole('button', { name: /^Log(in|ging in\.\.\.)$/ })
  const lose = await holdCalls(page, /auth\.login/)
  await submit.focus()
  await page.keyboard.press('Enter')
  await expect(form.getByRole('button', { name: 'Logging in...' })).toBeDisabled()
  await expect(submit).toBeFocused()
  await lose('abort')
  await expectToast(page, 'Login failed', 'Invalid credentials')

  await form.getByLabel('Password', { exact: true }).fill('a cardboard sun')
  await submit.click()
  await expectToast(page, 'Login failed', 'Invalid credentials')
  await expect(form.getByLabel('Password', { exact: true })).toHaveAccessibleDescription('Wrong email or password')
  await expect(page).toHaveURL('/auth')
  await expect(form.getByLabel('Email')).toHaveValue(player.email)

  await page.evaluate(() => Object.assign(document.documentElement.dataset, { marked: 'yes' }))
  await form.getByLabel('Password', { exact: true }).fill(player.password)
  await submit.click()
  await expect(page).toHaveURL('/')
  await expectToast(page, 'Welcome back!', "You've successfully logged in.")
  expect(await page.evaluate(() => document.documentElement.dataset.marked)).toBeUndefined()
  await balanceButton(page).click()
  await expect(page.getByRole('menu')).toContainText(player.username)
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(balanceButton(page)).toHaveCount(0)
  expect((await page.request.get('/api/auth/user')).status()).toBe(401)
})

test('a registration asks for all fields and reports what went wrong', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/status of 409/, /ERR_FAILED/)
  const page = await visit('/auth')
  const account = newAccount()
  await fillRegistration(page, account, `${account.password}!`)
  await expectRequired(authForm(page, 'Register'), 5)
  const calls = countCalls(page)
  const create = page.getByRole('button', { name: 'Create Account' })
  await create.click()
  await expectToast(page, "Passwords don't match", 'Please make sure your passwords match')
  expect(calls.filter((path) => path.includes('auth.register'))).toEqual([])

  await fillRegistration(page, { ...account, username: player.username.toUpperCase() })
  await create.click()
  await expectToast(page, 'Registration failed', 'already taken')

  await fillRegistration(page, account)
  const sent = page.waitForRequest(/auth\.register/)
  const lose = await holdCalls(page, /auth\.register/)
  await create.click()
  await expect(page.getByRole('button', { name: 'Creating account...' })).toBeDisabled()
  await lose('abort')
  await expectToast(page, 'Registration failed', 'Failed to create account')
  expect((await sent).postDataJSON()).toEqual({ json: account })
})
