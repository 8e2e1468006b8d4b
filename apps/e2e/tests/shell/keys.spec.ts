import type { Page } from '@playwright/test'
import { expect, test } from '../../support/test.ts'

const findDialog = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

test('? lists the keys, / leads to the search, b and s to the amounts @nightly', async ({ visit, player }) => {
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
