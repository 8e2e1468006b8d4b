import { balanceButton } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

test('the account menu gives the focus back, even the first time', async ({ visit, player }) => {
  const page = await visit('/docs', { as: player })
  const dashboard = page.getByRole('menuitem', { name: 'Dashboard' })
  for (const key of ['Enter', 'Space']) {
    await balanceButton(page).focus()
    await page.keyboard.press(key)
    await expect(dashboard).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dashboard).toBeHidden()
    await expect(balanceButton(page)).toBeFocused()
  }
  // A key press before the menu has focus also closes the menu. The test presses the key faster than any person could.
  await balanceButton(page).evaluate(async (button: HTMLElement) => {
    button.focus()
    button.click()
    await Promise.resolve()
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  })
  await expect(dashboard).toBeHidden()
  await expect(balanceButton(page)).toBeFocused()
})
