import type { Locator, Page } from '@playwright/test'
import { addAuthenticator } from '../../support/authenticator.ts'
import { enableApp } from '../../support/authenticator-app.ts'
import { authForm, balanceButton, expectToast } from '../../support/screen.ts'
import type { Server } from '../../support/server.ts'
import { expect, test } from '../../support/test.ts'

/** Returns the server's URL with a host name, because passkeys do not work at bare IP addresses. */
const atLocalhost = (server: Server, path: string): string => `${server.url.replace('127.0.0.1', 'localhost')}${path}`
const findPanel = (page: Page): Locator => page.getByRole('region', { name: 'Passkeys' })

async function addPasskey(page: Page, name: string): Promise<void> {
  await findPanel(page).getByLabel('Passkey name').fill(name)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Passkey added', `You can now log in with ${name}.`)
  // The form accepts no other passkey until the list is fetched again.
  await expect(findPanel(page).getByRole('button', { name: 'Add passkey' })).toBeEnabled()
}

test('a player adds a passkey and logs in with it, by keyboard alone', async ({ visit, server, player }) => {
  const page = await visit(atLocalhost(server, '/settings?section=security'), { as: player })
  const authenticator = await addAuthenticator(page)
  const panel = findPanel(page)
  await panel.getByLabel('Passkey name').focus()
  await page.keyboard.type('My laptop')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Passkey added', 'You can now log in with My laptop.')
  await expect(panel.getByRole('listitem')).toContainText(['My laptop'])
  await expect(panel.getByRole('listitem')).toContainText(['never used'])
  expect(await authenticator.count()).toBe(1)
  // A login with a passkey needs no code from the authenticator app.
  await enableApp(server, player)

  await balanceButton(page).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await authForm(page, 'Login').getByRole('button', { name: 'Log in with a passkey' }).press('Enter')
  await expect(page).toHaveURL(/localhost:\d+\/$/)
  await expectToast(page, 'Welcome back!', "You've successfully logged in.")
  await expect(balanceButton(page)).toBeVisible()

  // The passkey also works in another browser that has it.
  const other = await visit(atLocalhost(server, '/auth'))
  await authenticator.copyTo(other)
  await other.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(balanceButton(other)).toBeVisible()
})

test('a wrong fingerprint or a missing passkey logs nobody in @nightly', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 403/)
  const page = await visit(atLocalhost(server, '/settings?section=security'), { as: player })
  const authenticator = await addAuthenticator(page)
  await addPasskey(page, 'Mine alone')
  await findPanel(page).getByLabel('Passkey name').fill('Second')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(dialog.getByLabel('Your password')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Use a passkey' }).press('Enter')
  await expectToast(page, 'Could not add the passkey', 'This device already has a passkey for your account.')
  await expect(findPanel(page).getByRole('listitem')).toHaveCount(1)

  await authenticator.setVerified(false)
  await balanceButton(page).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expectToast(page, 'Login failed', 'No passkey was used')
  await expect(page.getByRole('button', { name: 'Log in with a passkey' })).toBeEnabled()
  const other = await visit(atLocalhost(server, '/auth'))
  await addAuthenticator(other)
  await other.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expectToast(other, 'Login failed', 'No passkey was used')
  await expect(other.getByRole('banner').getByRole('link', { name: 'Login / Register' })).toBeVisible()
})
