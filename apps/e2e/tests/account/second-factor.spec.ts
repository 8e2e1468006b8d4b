import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { AuthenticatorApp, letStepPass } from '../../support/authenticator-app.ts'
import type { Player } from '../../support/player.ts'
import { authForm, expectToast, paste } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const CODES = /^[0-9a-z]{5}-[0-9a-z]{5}$/

const findPanel = (page: Page): Locator => page.getByRole('region', { name: 'Authenticator app' })

async function enterPassword(page: Page, { email, password }: Player): Promise<Locator> {
  const form = authForm(page, 'Login')
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  return form
}

test('a player sets up an authenticator app and logs in with it @nightly', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 40[13]/)
  const page = await visit('/settings?section=security', { as: player })
  const panel = findPanel(page)
  await panel.getByRole('button', { name: 'Set up the app' }).focus()
  await page.keyboard.press('Enter')
  await panel.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(panel.getByRole('button', { name: 'Set up the app' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const app = new AuthenticatorApp((await panel.locator('code').textContent()) ?? '')
  const field = panel.getByLabel('Code from your authenticator app')
  await expect(field).toBeFocused()
  await page.keyboard.type(app.wrongCode())
  await page.keyboard.press('Enter')
  await expect(panel).toContainText('This code is wrong')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('')
  const code = app.code()
  await page.keyboard.type(`${code.slice(0, 3)} ${code.slice(3)}`)
  await page.keyboard.press('Enter')

  const stub = panel.getByRole('region', { name: 'Your recovery codes' })
  await expect(stub).toBeFocused()
  const codes = await stub.getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  for (const shown of codes) expect(shown).toMatch(CODES)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Copied!', 'Recovery codes copied to clipboard')
  expect(await paste(page)).toBe(codes.join('\n'))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    stub.getByRole('button', { name: 'Download codes' }).press('Enter'),
  ])
  expect(download.suggestedFilename()).toBe('papermoon-recovery-codes.txt')
  expect(await readFile(await download.path(), 'utf8')).toBe(`${codes.join('\n')}\n`)
  await stub.getByRole('button', { name: 'I have saved the codes' }).press('Enter')
  await expect(panel.getByRole('heading', { name: 'Authenticator app' })).toBeFocused()
  await expect(panel).toContainText('You have 10 recovery codes left.')

  // New recovery codes need a current code from the app. The password is not enough, and the code that enabled the app
  // cannot be used twice.
  await letStepPass(server, player.username)
  await panel.getByRole('button', { name: 'Create new recovery codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(dialog).toContainText('This needs more than your password.')
  await expect(dialog.getByLabel('Code from your authenticator app')).toBeFocused()
  await page.keyboard.type(app.wrongCode())
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('This code is wrong')
  await page.keyboard.type(app.code())
  await page.keyboard.press('Enter')
  await expect(stub).toBeFocused()
  expect(await stub.getByRole('listitem').allTextContents()).not.toContain(codes[0])

  const guest = await visit('/auth')
  const form = await enterPassword(guest, player)
  const asked = form.getByLabel('Code from your authenticator app')
  await expect(asked).toBeFocused()
  await expect(guest.getByRole('alert')).toHaveCount(0)
  await form.getByRole('button', { name: '← Back' }).press('Enter')
  await expect(form.getByLabel('Email')).toHaveValue(player.email)
  await expect(form.getByLabel('Password', { exact: true })).toBeFocused()
  await expect(form.getByLabel('Password', { exact: true })).toHaveValue('')
  await enterPassword(guest, player)
  await expect(asked).toBeFocused()
  await guest.keyboard.type(app.wrongCode())
  await guest.keyboard.press('Enter')
  await expect(form).toContainText('This code is wrong')
  await expect(asked).toBeFocused()
  await letStepPass(server, player.username)
  await guest.keyboard.type(app.code())
  await guest.keyboard.press('Enter')
  await expect(guest).toHaveURL('/')
  await expectToast(guest, 'Welcome back!', "You've successfully logged in.")
  await expect(guest.getByRole('banner').getByRole('button', { name: /^Account: / })).toBeVisible()
})
