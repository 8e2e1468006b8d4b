import { runClockUntil, stopClock } from '../../support/clock.ts'
import { newAccount } from '../../support/player.ts'
import { authForm, expectToast, fillRegistration } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const REDIRECT_MS = 2_000

test('login and registration ask for all their fields, with e-mails as such', async ({ visit }) => {
  const page = await visit('/auth')
  await expect(page.getByRole('heading', { level: 1, name: 'Papermoon' })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText(['Login', 'Register'])
  const login = authForm(page, 'Login')
  await expect(login.locator('input')).toHaveCount(2)
  for (const input of await login.locator('input').all()) await expect(input).toHaveAttribute('required')
  await expect(login.getByLabel('Email')).toHaveAttribute('type', 'email')
  await page.getByRole('tab', { name: 'Register' }).click()
  const register = authForm(page, 'Register')
  await expect(register.locator('input')).toHaveCount(5)
  for (const input of await register.locator('input').all()) await expect(input).toHaveAttribute('required')
  await expect(register.getByLabel('Email')).toHaveAttribute('type', 'email')
  await page.goto('/forgot-password')
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
  await expect(page.getByLabel('Email')).toHaveAttribute('required')
  await page.goto('/reset-password')
  await expect(page.getByRole('main').locator('input')).toHaveCount(3)
  for (const input of await page.getByRole('main').locator('input').all())
    await expect(input).toHaveAttribute('required')
})

test('login shows that it is busy, says what went wrong, and reloads the page when it succeeds', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/)
  const page = await visit('/auth')
  const form = authForm(page, 'Login')
  await form.getByLabel('Email').fill(player.email)
  await form.getByLabel('Password', { exact: true }).fill(player.password)
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(/auth\.login/, async (route) => {
    await held
    await route.abort()
  })
  await form.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(form.getByRole('button', { name: 'Logging in...' })).toBeDisabled()
  letGo()
  await expectToast(page, 'Login failed', 'Invalid credentials')
  await page.unrouteAll()
  await page.evaluate(() => Object.assign(document.documentElement.dataset, { marked: 'yes' }))
  await form.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL('/')
  await expectToast(page, 'Welcome back!', "You've successfully logged in.")
  expect(await page.evaluate(() => document.documentElement.dataset.marked)).toBeUndefined()
})

test('registration is busy, sends what it asked for but the second password, and says what went wrong', async ({
  visit,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/)
  const page = await visit('/auth')
  const account = newAccount()
  await fillRegistration(page, account)
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const sent: unknown[] = []
  await page.route(/auth\.register/, async (route) => {
    sent.push(route.request().postDataJSON())
    await held
    await route.abort()
  })
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('button', { name: 'Creating account...' })).toBeDisabled()
  letGo()
  await expectToast(page, 'Registration failed', 'Failed to create account')
  expect(sent).toEqual([{ json: account }])
})

test('2 seconds after a reset the login is there', async ({ visit, player }) => {
  const page = await visit('/forgot-password')
  await page.getByLabel('Email').fill(player.email)
  await page.getByRole('button', { name: 'Send Reset Code' }).click()
  const code = (await page.getByText(/^\d{6}$/).textContent()) ?? ''
  await page.getByRole('link', { name: 'Continue to Reset Password' }).click()
  await page.getByPlaceholder('6-digit code').fill(code)
  await page.getByLabel('New Password').fill('a cardboard sea')
  await page.getByLabel('Confirm Password').fill('a cardboard sea')
  await stopClock(page)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  const done = page.getByText('Redirecting to login...')
  await runClockUntil(page, () => done.isVisible())
  // The redirect is timed when the message gets the focus.
  await expect(page.getByRole('status').filter({ hasText: 'All your sessions have ended.' })).toBeFocused()
  await page.clock.runFor(REDIRECT_MS - 200)
  await expect(done).toBeVisible()
  await page.clock.runFor(300)
  await expect(page).toHaveURL('/auth')
})

test('a picture that cannot be set is reported', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/ERR_FAILED/)
  const page = await visit('/settings', { as: player })
  await page.route(/uploads\.setProfilePicture/, (route) => route.abort())
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload Picture' }).click()
  await (await chooser).setFiles({ name: 'moon.png', mimeType: 'image/png', buffer: await page.screenshot() })
  await expectToast(page, 'Update Failed', 'Failed to update profile picture')
})

test('the docs are whole: how to play, risks, terms, questions and a glossary', async ({ visit }) => {
  const page = await visit('/docs')
  await expect(page.getByText('Papermoon is a simulation.')).toBeVisible()
  const chapter = (name: string) => page.getByRole('region', { name, exact: true })
  for (const path of ['The Trader', 'The Creator', 'The Degen'])
    await expect(chapter('How to play').getByRole('heading', { name: path })).toBeVisible()
  await expect(chapter('How to play')).toContainText('You start with 100 SOL.')
  await expect(chapter('How to play')).toContainText('Pays 0.02 SOL')
  await expect(chapter('Behind the curtain')).toContainText('Trading fee0.3%')
  await expect(chapter('Winning')).toContainText('the top 3 winners by total profit and loss over the last 6 hours')
  await expect(chapter('Winning')).toContainText('sent to the wallet address they registered with')
  await expect(chapter('Winning')).toContainText('Your portfolio')
  await expect(chapter('Winning')).toContainText('may be reset to get back to 100 SOL')
  await expect(chapter('Risk disclosure').getByRole('listitem').first()).toContainText('Total loss')
  expect(await chapter('Terms').getByRole('listitem').count()).toBeGreaterThanOrEqual(5)
  expect(await chapter('Questions people ask').locator('details').count()).toBeGreaterThanOrEqual(8)
  expect(await chapter('Glossary').getByRole('term').count()).toBeGreaterThanOrEqual(15)
  await expect(chapter('Community').getByRole('link', { name: /community chat/ })).toHaveAttribute('target', '_blank')
  await page.getByText('Is this real money?').click()
  await expect(page.getByText('No. Not the SOL, not the tokens')).toBeVisible()
  await page.getByText('How do I get another 100 SOL?').click()
  await expect(page.getByText('you reset your account in the settings, once a day')).toBeVisible()
})
