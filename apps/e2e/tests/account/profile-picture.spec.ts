import type { FileChooser, Page } from '@playwright/test'
import { runClockUntil, stopClock } from '../../support/clock.ts'
import { countCalls, expectToast } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

function profile(page: Page) {
  return page.getByRole('region', { name: 'Your profile' })
}

function picture(page: Page) {
  return profile(page).getByRole('img')
}

/** Opens the dialog and passes the file to its file chooser. */
async function choose(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await profile(page)
    .getByRole('button', { name: /Picture$/ })
    .click()
  await (await chooser).setFiles(file)
}

async function createPng(page: Page): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  return { name: 'moon.png', mimeType: 'image/png', buffer: await page.screenshot() }
}

test('a picture is uploaded, and stays when a later upload fails @nightly', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/, /status of 4\d\d/)
  const page = await visit('/settings', { as: player })
  await expect(page).toHaveTitle('Settings · Papermoon')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect(page.getByText('Customize your profile')).toBeVisible()
  await expect(profile(page)).toContainText('Upload an image for your profile (max 5MB)')
  await expect(profile(page)).toContainText(player.username)
  await expect(profile(page)).toContainText(player.email)
  await expect(picture(page)).toHaveText('P')

  const calls = countCalls(page)
  await choose(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('moon') })
  const dialog = page.getByRole('dialog', { name: 'Your picture' })
  await expect(dialog.getByRole('alert')).toHaveText('notes.txt is not an image. Please choose a picture.')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(calls.filter((path) => path.includes('uploads'))).toEqual([])

  await page.route('**/objects/uploads/**', (route) => route.abort())
  const png = await createPng(page)
  await choose(page, png)
  await expect(dialog.getByRole('alert')).toContainText('Could not upload the picture.')
  await page.unrouteAll()
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose a picture' }).click()
  await (await chooser).setFiles(png)
  await expectToast(page, 'Profile Updated', 'Your profile picture has been updated successfully')
  await expect(dialog).toHaveCount(0)
  await expect(picture(page)).toHaveAttribute('src', /^\/objects\/pictures\/[0-9a-f]{64}\.webp$/)
  const address = (await picture(page).getAttribute('src')) ?? ''
  expect((await page.request.get(address)).headers()['content-type']).toBe('image/webp')
  await expect(page.getByRole('banner').locator('img')).toHaveAttribute('src', address)
  await expect(profile(page).getByRole('button', { name: 'Change Picture' })).toBeFocused()

  await choose(page, { name: 'moon.png', mimeType: 'image/png', buffer: Buffer.from('only paper') })
  await expectToast(page, 'Update Failed', 'We cannot read this file as a picture.')
  await page.route(/uploads\.setProfilePicture/, (route) => route.abort())
  await expect(dialog).toHaveCount(0)
  await choose(page, png)
  await expectToast(page, 'Update Failed', 'Failed to update profile picture')
  await expect(picture(page)).toHaveAttribute('src', address)
})

test('the chooser opens 100 ms after the dialog, which closes 500 ms after the upload @nightly', async ({
  visit,
  player,
}) => {
  const page = await visit('/settings', { as: player })
  const file = await createPng(page)
  // The page starts its app only after a timer fires.
  await expect(profile(page).getByRole('button', { name: 'Upload Picture' })).toBeVisible()
  await stopClock(page)
  const choosers: FileChooser[] = []
  page.on('filechooser', (chooser) => choosers.push(chooser))
  await profile(page).getByRole('button', { name: 'Upload Picture' }).click()
  await expect(page.getByRole('dialog', { name: 'Your picture' })).toBeVisible()
  await page.clock.runFor(99)
  expect(choosers).toEqual([])
  // React may start the timer later than it draws the dialog.
  await runClockUntil(page, () => choosers.length > 0)
  expect(choosers).toHaveLength(1)
  await choosers[0]?.setFiles(file)

  const complete = page.getByText('Upload complete')
  await runClockUntil(page, () => complete.isVisible())
  await page.clock.runFor(400)
  await expect(complete).toBeVisible()
  await page.clock.runFor(100)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
