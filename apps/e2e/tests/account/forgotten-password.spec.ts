import type { Page } from '@playwright/test'
import { runClockUntil, stopClock } from '../../support/clock.ts'
import { countCalls, expectToast, holdCalls, paste } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const NEW_PASSWORD = 'a cardboard sea'
const REDIRECT_MS = 2_000

/** Requests a reset code and reads it from the screen. */
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

/** Tries to log in through the API, and returns the response's status. */
async function tryLogin(page: Page, email: string, password: string): Promise<number> {
  return (await page.request.post('/api/auth/login', { data: { email, password } })).status()
}

test('a forgotten password is reset with a code', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/status of 4\d\d/)
  const page = await visit('/auth', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByRole('link', { name: 'Forgot Password?' }).click()
  await expect(page).toHaveURL('/forgot-password')
  await expect(page).toHaveTitle('Forgot password · Papermoon')
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
  await expect(page.getByLabel('Email')).toHaveAttribute('required')

  const code = await askForCode(page, player.email)
  await expectToast(page, 'Reset code generated!', 'Copy the code below to reset your password.')
  await expect(page.getByText('Code expires in 15 minutes')).toBeVisible()
  await page.getByRole('button', { name: 'Copy' }).click()
  await expectToast(page, 'Copied!', 'Reset code copied to clipboard')
  expect(await paste(page)).toBe(code)

  await page.getByRole('link', { name: 'Continue to Reset Password' }).click()
  await expect(page).toHaveURL(`/reset-password?email=${encodeURIComponent(player.email)}`)
  await expect(page.getByText(player.email)).toBeVisible()
  const inputs = page.getByRole('main').locator('input').filter({ visible: true })
  await expect(inputs).toHaveCount(3)
  for (const input of await inputs.all()) await expect(input).toHaveAttribute('required')
  const reset = page.getByRole('button', { name: 'Reset Password' })
  const calls = countCalls(page)
  await fillReset(page, code, 'sixsix', 'sixsi6')
  await reset.click()
  await expectToast(page, "Passwords don't match", 'Please make sure your passwords match')
  expect(calls.filter((path) => path.includes('auth.resetPassword'))).toEqual([])
  await fillReset(page, code === '000000' ? '000001' : '000000', NEW_PASSWORD)
  await reset.click()
  await expectToast(page, 'Reset failed', 'code')
  await expect(page.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/forgot-password')

  await fillReset(page, ` ${code.slice(0, 3)} ${code.slice(3)}`, NEW_PASSWORD)
  await stopClock(page)
  await reset.click()
  const heading = page.getByRole('heading', { name: 'Password Reset!' })
  await runClockUntil(page, () => heading.isVisible())
  await expect(page.getByText('Redirecting to login...')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back' })).toHaveCount(0)
  // The redirect timer starts when the message receives focus.
  await expect(
    page.getByRole('main').locator('[tabindex="-1"]', { hasText: 'All your sessions have ended.' }),
  ).toBeFocused()
  await page.clock.runFor(REDIRECT_MS - 200)
  await expect(heading).toBeVisible()
  await page.clock.runFor(300)
  await expect(page).toHaveURL('/auth')
  await page.clock.resume()
  await expectToast(page, 'Password reset successful!', 'You can now login with your new password.')
  expect(await tryLogin(page, player.email, player.password)).toBe(401)
  expect(await tryLogin(page, player.email, NEW_PASSWORD)).toBe(200)
})

test('both steps of a reset say that they are busy, and what failed @nightly', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/)
  const page = await visit('/forgot-password', { as: player })
  await expect(page.getByRole('link', { name: 'Back to Login' })).toHaveAttribute('href', '/auth')
  await page.getByLabel('Email').fill(player.email)
  const loseRequest = await holdCalls(page, /auth\.forgotPassword/)
  await page.getByRole('button', { name: 'Send Reset Code' }).click()
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeDisabled()
  await loseRequest('abort')
  await expectToast(page, 'Request failed', 'Failed to process request')

  const message = 'If an account exists for this email address, we have emailed a reset code.'
  // This is the response of a server that can send mail.
  await page.route('**/trpc/auth.forgotPassword', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { result: { data: { json: { message } } } } })
  })
  await page.getByRole('button', { name: 'Send Reset Code' }).click()
  await expectToast(page, 'Check your email', message)
  // This server cannot send mail. The screen therefore says who has the code, and does not mention mail.
  await page.route('**/trpc/auth.forgotPassword', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { result: { data: { json: { message: 'Ask Ada', isUnavailable: true } } } } })
  })
  await page.reload()
  await page.getByLabel('Email').fill(player.email)
  await page.getByRole('button', { name: 'Send Reset Code' }).click()
  await expect(page.getByText('Ask Ada')).toBeVisible()
  await expect(page.getByText('Check your email')).toHaveCount(0)
  await expect(page.getByText('Code expires in 15 minutes')).toHaveCount(0)
  await page.getByRole('link', { name: 'Enter Reset Code' }).click()
  await expect(page.getByText(player.email)).toBeVisible()

  const loseReset = await holdCalls(page, /auth\.resetPassword/)
  await fillReset(page, '123456', NEW_PASSWORD)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByRole('button', { name: 'Resetting...' })).toBeDisabled()
  await loseReset('abort')
  await expectToast(page, 'Reset failed', 'Invalid or expired reset code')

  await page.unrouteAll()
  await page.goto('/forgot-password')
  const code = await askForCode(page, player.email)
  await page.getByRole('link', { name: 'Continue to Reset Password' }).click()
  await fillReset(page, code, NEW_PASSWORD)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login / Register' })).toBeVisible()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByRole('tab', { name: 'Login' })).toBeVisible()
})
