import type { Page } from '@playwright/test'
import { runClockUntil, stopClock } from '../../support/clock.ts'
import { countCalls, expectToast, paste } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const NEW_PASSWORD = 'a cardboard sea'

/** Requests a code and returns it from the screen. */
async function askForCode(page: Page, email: string): Promise<string> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send Reset Code' }).click()
  const code = page.getByText(/^\d{6}$/)
  await expect(code).toBeVisible()
  return (await code.textContent()) ?? ''
}

async function fillReset(page: Page, code: string, password: string, confirm = password): Promise<void> {
  await page.getByPlaceholder('6-digit code').fill(code)
  await page.getByLabel('New Password').fill(password)
  await page.getByLabel('Confirm Password').fill(confirm)
}

/** The status of a login over the API. */
async function tryLogin(page: Page, email: string, password: string): Promise<number> {
  return (await page.request.post('/api/auth/login', { data: { email, password } })).status()
}

test('a forgotten password is reset with the code, from the login and back to it', async ({ visit, player }) => {
  const page = await visit('/auth', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByRole('link', { name: 'Forgot Password?' }).click()
  await expect(page).toHaveURL('/forgot-password')
  await expect(page).toHaveTitle('Forgot password · Papermoon')

  const code = await askForCode(page, player.email)
  await expectToast(page, 'Reset code generated!', 'Copy the code below to reset your password.')
  await expect(page.getByText('Code expires in 15 minutes')).toBeVisible()
  await page.getByRole('button', { name: 'Copy' }).click()
  await expectToast(page, 'Copied!', 'Reset code copied to clipboard')
  expect(await paste(page)).toBe(code)

  await page.getByRole('link', { name: 'Continue to Reset Password' }).click()
  await expect(page).toHaveURL(`/reset-password?email=${encodeURIComponent(player.email)}`)
  await expect(page.getByText(player.email)).toBeVisible()
  await fillReset(page, ` ${code.slice(0, 3)} ${code.slice(3)}`, NEW_PASSWORD)
  // The message is there for two seconds.
  await stopClock(page)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  const heading = page.getByRole('heading', { name: 'Password Reset!' })
  await runClockUntil(page, () => heading.isVisible())
  await expect(page.getByText('Redirecting to login...')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back' })).toHaveCount(0)
  await page.clock.resume()
  await expectToast(page, 'Password reset successful!', 'You can now login with your new password.')
  await expect(page).toHaveURL('/auth')

  expect(await tryLogin(page, player.email, player.password)).toBe(401)
  expect(await tryLogin(page, player.email, NEW_PASSWORD)).toBe(200)
})

test('a player who resets the password is signed out', async ({ visit, player }) => {
  const page = await visit('/forgot-password', { as: player })
  const code = await askForCode(page, player.email)
  await page.getByRole('link', { name: 'Continue to Reset Password' }).click()
  await fillReset(page, code, NEW_PASSWORD)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login / Register' })).toBeVisible()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByRole('tab', { name: 'Login' })).toBeVisible()
})

test('different or too short passwords are reported before anything is sent', async ({ visit }) => {
  const page = await visit('/reset-password')
  const calls = countCalls(page)
  await fillReset(page, '123456', 'sixsix', 'sixsi6')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expectToast(page, "Passwords don't match", 'Please make sure your passwords match')
  await fillReset(page, '123456', 'fives')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expectToast(page, 'Password too short', 'Password must be at least 6 characters')
  expect(calls.filter((path) => path.includes('auth.resetPassword'))).toEqual([])
})

test('a wrong code is refused with a toast, and the form stays', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/status of 4\d\d/)
  const page = await visit('/forgot-password')
  const code = await askForCode(page, player.email)
  await page.goto('/reset-password')
  await fillReset(page, code === '000000' ? '000001' : '000000', NEW_PASSWORD)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expectToast(page, 'Reset failed', 'code')
  await expect(page.getByPlaceholder('6-digit code')).not.toHaveValue('')
  await expect(page.getByRole('button', { name: 'Reset Password' })).toBeEnabled()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL('/forgot-password')
})

test('where codes go by mail, the answer says so and leads on', async ({ visit, player }) => {
  const page = await visit('/forgot-password')
  const message = 'If an account has this e-mail address, a reset code is on its way.'
  // The answer of a server with SMTP.
  await page.route('**/trpc/auth.forgotPassword', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { result: { data: { json: { message } } } } })
  })
  await page.getByLabel('Email').fill(player.email)
  await page.getByRole('button', { name: 'Send Reset Code' }).click()
  await expectToast(page, 'Check your email', message)
  await expect(page.getByText('Code expires in 15 minutes')).toHaveCount(0)
  await page.getByRole('link', { name: 'Enter Reset Code' }).click()
  await expect(page.getByText(player.email)).toBeVisible()
})

test('both buttons say that they are busy, and failures without an answer are reported', async ({
  visit,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/)
  const page = await visit('/forgot-password')
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/trpc/auth.*', async (route) => {
    await held
    await route.abort()
  })
  await page.getByLabel('Email').fill('nobody@papermoon.example')
  await page.getByRole('button', { name: 'Send Reset Code' }).click()
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeDisabled()
  letGo()
  await expectToast(page, 'Request failed', 'Failed to process request')
  await page.getByRole('link', { name: 'Back to Login' }).click()
  await expect(page).toHaveURL('/auth')

  await page.unrouteAll()
  const { promise: heldAgain, resolve: letGoAgain } = Promise.withResolvers<void>()
  await page.goto('/reset-password')
  await page.route('**/trpc/auth.resetPassword', async (route) => {
    await heldAgain
    await route.abort()
  })
  await fillReset(page, '123456', NEW_PASSWORD)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByRole('button', { name: 'Resetting...' })).toBeDisabled()
  letGoAgain()
  await expectToast(page, 'Reset failed', 'Invalid or expired reset code')
})
