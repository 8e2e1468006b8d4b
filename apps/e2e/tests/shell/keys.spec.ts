import type { Page } from '@playwright/test'
import { expectGoodLooks } from '../../support/looks.ts'
import { expectToast } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const phone = { width: 375, height: 812 }
const findDialog = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

test('? lists the keys, holds the others back, and gives the focus back; / leads to the search, b and s to the amounts', async ({
  visit,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Key Moon', symbol: 'KEYS', initialBuyAmount: '1' })
  const page = await visit('/', { as: player })
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  const explore = page.getByRole('link', { name: 'Explore' }).first()
  await explore.focus()
  await page.keyboard.press('?')
  const sheet = findDialog(page)
  await expect(sheet).toBeVisible()
  await expect(sheet.getByRole('term')).toHaveText([
    '/',
    'b',
    's',
    'Space',
    '?',
    'Ctrl K',
    '← →',
    'Home End',
    'Enter',
    'F8',
    'Esc',
  ])
  await expect(sheet.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('/')
  await expect(sheet.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(explore).toBeFocused()

  await page.keyboard.press('/')
  await expect(page.getByPlaceholder('Search tokens...')).toBeFocused()
  await expect(page.getByPlaceholder('Search tokens...')).toHaveValue('')

  await page.goto(`/token/${tokenId}`)
  await expect(page.getByRole('textbox', { name: 'Amount in SOL' })).toBeEditable()
  await page.keyboard.press('s')
  await expect(page.getByRole('textbox', { name: 'Amount in KEYS' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('b')
  await expect(page.getByRole('textbox', { name: 'Amount in SOL' })).toBeFocused()
})

test('/ leaves a launch form that is being filled in as it is', async ({ visit }) => {
  const page = await visit('/launch')
  const name = page.getByRole('main').getByRole('textbox').first()
  await name.fill('Half a Moon')
  await name.press('/')
  await expect(name).toHaveValue('Half a Moon/')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog', { name: 'Search everything' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/launch')
  await expect(name).toHaveValue('Half a Moon/')
})

test('a sign that is typed opens no sheet, and none opens where such keys are switched off', async ({
  visit,
  player,
}) => {
  const page = await visit('/settings', { as: player })
  await page.getByRole('checkbox', { name: /Single-key shortcuts/ }).uncheck()
  await page.getByRole('link', { name: 'Explore' }).first().click()
  const search = page.getByPlaceholder('Search tokens...')
  await search.fill('')
  await search.press('?')
  await expect(search).toHaveValue('?')
  await page.getByRole('main').focus()
  await page.keyboard.press('?')

  // The key opens no second dialog before the button's press.
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await expect(findDialog(page)).toContainText('These are switched off.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeFocused()

  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await findDialog(page).getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL('/settings')
  await expect(findDialog(page)).toBeHidden()
})

for (const viewport of [phone, { width: 1280, height: 800 }]) {
  test(`the sheet of keys fits ${viewport.width} pixels, and is open to everybody`, { tag: '@looks' }, async ({
    visit,
  }) => {
    const page = await visit('/', { viewport })
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await expect(findDialog(page)).toBeVisible()
    await expectGoodLooks(page)
  })
}

test('a message on a phone is shown above the fields', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Slippery Moon', symbol: 'SLIP' })
  const page = await visit(`/token/${tokenId}`, { as: player, viewport: phone })
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await page.getByText(/^Slippage: /).click()
  const field = page.getByRole('textbox', { name: 'Slippage in percent' })
  await page.getByRole('group', { name: 'Quick buy' }).getByRole('button', { name: '1 SOL' }).click()
  await field.scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: 'Buy SLIP' }).click()
  const toast = await expectToast(page, 'Purchase Successful!', 'Bought ')
  expect(toast.box.y).toBeLessThan(phone.height / 4)
  // Playwright clicks only elements that nothing covers.
  await field.click()
  await expect(field).toBeFocused()
})
