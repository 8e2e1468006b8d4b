import { balanceButton } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

test('the account menu gives the focus back, the first time too', async ({ visit, player }) => {
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
  // A key that comes before the menu has taken the focus closes it, too: faster than any real key press.
  await balanceButton(page).evaluate(async (button: HTMLElement) => {
    button.focus()
    button.click()
    await Promise.resolve()
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  })
  await expect(dashboard).toBeHidden()
  await expect(balanceButton(page)).toBeFocused()
})

test('a long ticker and its rug dialog fit a small phone', async ({ visit, player }) => {
  const symbol = 'WWWWWWWWWW'
  const tokenId = await player.launch({ name: 'Wide Moon', symbol, initialBuyAmount: '1' })
  const page = await visit(`/token/${tokenId}`, { as: player, viewport: { width: 375, height: 667 } })
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('0.123456789')
  const receive = page.getByText('You receive').locator('xpath=following-sibling::dd')
  await expect(receive).toContainText(symbol)
  const cut = await receive.evaluate((line) => line.scrollWidth - line.clientWidth)
  expect(cut).toBeLessThanOrEqual(0)

  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Pull the rug…' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  for (const name of ['Keep it open', `Type ${symbol} first`]) {
    await expect(page.getByRole('dialog').getByRole('button', { name })).toBeInViewport({ ratio: 1 })
  }
})
