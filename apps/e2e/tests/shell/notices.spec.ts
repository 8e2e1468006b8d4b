import type { Page } from '@playwright/test'
import { expectGoodLooksAsIs, windows } from '../../support/looks.ts'
import { registerPlayer } from '../../support/player.ts'
import { expectToast, holdCalls, liveIndicator } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const bell = (page: Page, name: string | RegExp = /^Notifications/) => page.getByRole('button', { name })
const drawer = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })

test('a holder on another page learns of a rug, and marks it as read', async ({ visit, server, player }) => {
  const creator = await registerPlayer(server.url)
  const tokenId = await creator.launch({ name: 'Gone Moon', symbol: 'GONE', initialBuyAmount: '1' })
  await player.buy(tokenId, '1')
  let sendDrawer = async () => {}
  const page = await visit('/docs', {
    as: player,
    viewport: windows.phone,
    prepare: async (it) => {
      sendDrawer = await holdCalls(it, /\/notice-drawer/)
    },
  })
  await expect(bell(page, 'Notifications')).toBeVisible()
  await expect(liveIndicator(page)).toHaveText('Live')
  // Escape works while the drawer's code is still loading.
  await bell(page).click()
  await page.keyboard.press('Escape')
  await sendDrawer()
  await expect(bell(page)).toHaveAttribute('aria-expanded', 'false')
  await bell(page).click()
  await expect(drawer(page)).toContainText('Nothing yet')
  await page.keyboard.press('Escape')
  await expect(drawer(page)).toHaveCount(0)
  await expect(bell(page)).toBeFocused()

  await creator.rug(tokenId)
  await expectToast(page, 'GONE was rugged', `${creator.username} took`)
  await expect(page.getByRole('link', { name: 'See what happened' })).toHaveAttribute('href', `/token/${tokenId}`)
  await expect(bell(page, 'Notifications, 1 unread')).toBeVisible()

  await page.reload()
  const saved = page.waitForResponse(/notices\.markRead/)
  await bell(page, 'Notifications, 1 unread').click()
  const entry = drawer(page).getByRole('link', { name: /GONE was rugged/ })
  await expect(entry).toBeVisible()
  await expectGoodLooksAsIs(page)
  await expect(bell(page, 'Notifications')).toBeVisible()
  await saved
  await page.reload()
  await bell(page, 'Notifications').click()
  await entry.click()
  await expect(page).toHaveURL(`/token/${tokenId}`)
  await expect(page.getByRole('region', { name: 'The rug was pulled' })).toBeVisible()
})

test('a price alert is set, fires once, and is listed as reached @nightly', async ({ visit, server, player }) => {
  const creator = await registerPlayer(server.url)
  const tokenId = await creator.launch({ name: 'Rising Moon', symbol: 'RISE' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  await page.getByRole('button', { name: 'Alerts for RISE' }).click()
  const dialog = page.getByRole('dialog', { name: 'Alerts for RISE' })
  await dialog.getByRole('textbox', { name: 'Change in percent' }).fill('5')
  await expect(dialog).toContainText('We notify you when the price rises to')
  await expect(dialog).toContainText('The market cap is then 31.50 SOL')
  await expectGoodLooksAsIs(page)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('listitem')).toContainText('+5%')
  await page.keyboard.press('Escape')
  await creator.buy(tokenId, '2')
  await expectToast(page, 'RISE rose to your price', 'Your alert: +5%')
  await page.getByRole('button', { name: 'Alerts for RISE' }).click()
  await expect(dialog.getByRole('listitem')).toContainText('reached')
  await dialog.getByRole('button', { name: /^Remove the alert/ }).click()
  await expect(dialog).toContainText('You have no alerts for RISE yet.')
  await dialog.getByRole('checkbox', { name: 'Follow RISE' }).click()
  await expect(dialog.getByRole('checkbox', { name: 'Follow RISE' })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Alerts for RISE (on)' })).toBeVisible()
  await creator.buy(tokenId, '2')
  await page.goto('/following')
  await expect(page.getByRole('list', { name: 'Feed' })).toContainText('bought')
})
