import type { Page } from '@playwright/test'
import { newAccount, registerPlayer } from '../../support/player.ts'
import { authForm, balanceButton, countCalls, expectToast, fillRegistration } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

/** Chromium's own console error for a 401. */
const REFUSED = /status of 401/

async function login(page: Page, email: string, password: string): Promise<void> {
  const form = authForm(page, 'Login')
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Login', exact: true }).click()
}

test('a player logs in and out', async ({ visit, player }) => {
  const page = await visit('/auth')
  await login(page, player.email, player.password)
  await expect(page).toHaveURL('/')
  await expectToast(page, 'Welcome back!', "You've successfully logged in.")
  await expect(balanceButton(page)).toContainText('100.00')

  await balanceButton(page).click()
  await expect(page.getByRole('menu')).toContainText(player.username)
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(balanceButton(page)).toHaveCount(0)
  expect((await page.request.get('/api/auth/user')).status()).toBe(401)
})

test('a wrong password is refused with a toast, and the form stays', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(REFUSED)
  const page = await visit('/auth')
  await login(page, player.email, 'a cardboard sun')
  await expectToast(page, 'Login failed', 'Invalid credentials')
  await expect(page).toHaveURL('/auth')
  await expect(authForm(page, 'Login').getByLabel('Email')).toHaveValue(player.email)
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
})

test('different passwords are reported before anything is sent', async ({ visit }) => {
  const page = await visit('/auth')
  const account = newAccount()
  await fillRegistration(page, account, `${account.password}!`)
  const calls = countCalls(page)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectToast(page, "Passwords don't match", 'Please make sure your passwords match')
  expect(calls.filter((path) => path.includes('auth.register'))).toEqual([])
})

test('a taken name is refused in the server’s words', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/status of 409/)
  const page = await visit('/auth')
  await fillRegistration(page, { ...newAccount(), username: player.username.toUpperCase() })
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectToast(page, 'Registration failed', 'already taken')
})

test('a guest who buys is sent to the login', async ({ visit, server }) => {
  const creator = await registerPlayer(server.url)
  const tokenId = await creator.launch({ name: 'Guests Only', symbol: 'GUEST' })
  const page = await visit(`/token/${tokenId}`)
  await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('1')
  await page.getByRole('button', { name: 'Buy GUEST' }).click()
  await expectToast(page, 'Login Required', 'Please login or register to trade tokens')
  await expect(page).toHaveURL('/auth')
})

test('a guest who launches is sent to the login', async ({ visit }) => {
  const page = await visit('/launch')
  await page.getByLabel('Coin Name').fill('Nobody’s Coin')
  await page.getByLabel('Ticker').fill('NOBODY')
  await page.getByRole('button', { name: 'Launch Token' }).click()
  await expectToast(page, 'Login Required', 'Please login or register to launch a token')
  await expect(page).toHaveURL('/auth')
})

test('a player whose session has ended elsewhere is led to the login, and can log in', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(REFUSED)
  const tokenId = await player.launch({ name: 'Gone Moon', symbol: 'GONE' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('1')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Buy GONE' }).click()
  await expectToast(page, 'Login Required', 'Please login or register to trade tokens')
  await expect(page).toHaveURL('/auth')
  await expect(balanceButton(page)).toHaveCount(0)
  await login(page, player.email, player.password)
  await expectToast(page, 'Welcome back!', "You've successfully logged in.")
  await expect(balanceButton(page)).toHaveAttribute('title', '99.98 SOL')
})
