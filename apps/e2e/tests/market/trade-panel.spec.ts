import type { Locator, Page } from '@playwright/test'
import { registerPlayer } from '../../support/player.ts'
import { balanceButton, countCalls, expectToast } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'
import type { ShownToast } from '../../support/toasts.ts'

const phone = { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true }
const findSheet = (page: Page, symbol: string) => page.getByRole('dialog', { name: `Buy or sell ${symbol}` })
const findAmount = (page: Page) => page.getByRole('textbox', { name: 'Amount in SOL' })

test('on a phone Buy and Sell stay in reach and open a sheet', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/ERR_FAILED/)
  const symbol = 'WWWWWWWWWW'
  const tokenId = await player.launch({ name: 'Thumb Moon', symbol, initialBuyAmount: '1' })
  const page = await visit(`/token/${tokenId}`, { as: player, ...phone })
  const buy = page.getByRole('button', { name: 'Buy', exact: true })
  const sheet = findSheet(page, symbol)
  await expect(buy).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('slider', { name: /^Chart of/ })).toBeInViewport({ ratio: 0.6 })

  await buy.tap()
  await expect(sheet).toBeFocused()
  await findAmount(page).fill('1.25')
  const receive = page.getByText('You receive').locator('xpath=following-sibling::dd')
  await expect(receive).toContainText(symbol)
  expect(await receive.evaluate((line) => line.scrollWidth - line.clientWidth)).toBeLessThanOrEqual(0)
  await page.keyboard.press('Shift+Tab')
  for (let stops = 0; stops < 14; stops++) {
    await page.keyboard.press('Tab')
    await expect(sheet.locator(':focus')).toHaveCount(1)
  }
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(buy).toBeFocused()

  await page.getByRole('button', { name: /^Sell/ }).tap()
  await expect(page.getByRole('textbox', { name: `Amount in ${symbol}` })).toBeVisible()
  await page.getByRole('tab', { name: 'Buy' }).tap()
  await expect(findAmount(page)).toHaveValue('1.25')
  await page.getByRole('button', { name: `Buy ${symbol}` }).tap()
  const toast = await expectToast(page, 'Purchase Successful!', 'Bought ')
  await expect(sheet).toContainText('You own')
  await expectApart(toast.box, sheet)
  const { x, y, width } = (await sheet.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  await page.mouse.move(x + width / 3, y + 10)
  await page.mouse.down()
  await page.mouse.move(x + width / 3, y + 130, { steps: 3 })
  await page.mouse.up()
  await expect(sheet).toHaveCount(0)
  await buy.tap()
  await page.getByRole('button', { name: 'Close' }).tap()
  await expect(sheet).toHaveCount(0)
  await page.route(/watchlist\.add/, (route) => route.abort())
  await page.getByRole('button', { name: 'Watch Thumb Moon' }).tap()
  const { box } = await expectToast(page, 'Could not add the star', '')
  for (const needed of [page.getByRole('banner'), buy]) await expectApart(box, needed)

  const footer = page.getByRole('contentinfo').getByRole('link', { name: 'Developers' })
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expectApart(footer, buy)
})

test('a logout in another tab hides the result of an order, but does not stop the next order', async ({
  visit,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Stray Moon', symbol: 'STRAY', initialBuyAmount: '1' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  const panel = page.getByRole('region', { name: 'Trade STRAY' })
  await panel.getByRole('button', { name: '1 SOL', exact: true }).click()
  await page.getByRole('button', { name: 'Buy STRAY' }).click()
  await expect(panel.getByText(/^You own .+ of STRAY$/)).toBeVisible()
  await findAmount(page).fill('0.7')

  const other = await page.context().newPage()
  await other.goto(new URL('/docs', page.url()).href)
  await balanceButton(other).click()
  await other.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(balanceButton(page)).toHaveCount(0)
  await expect(page.getByText(/You own .+ of STRAY/)).toHaveCount(0)
  await expect(findAmount(page)).toHaveValue('0.7')
  await expect(panel).toContainText('You were logged out. Press the button to log in. We keep your order until then.')
  await page.getByRole('button', { name: 'Buy STRAY' }).click()
  await expect(
    page.getByText(/^You were logged out\. We saved your buy of .* STRAY for 0\.7 SOL\. Log in to continue\.$/),
  ).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true')
})

test('in a wide window Buy stays in view, and no message covers it @nightly', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Steady Moon', symbol: 'STEADY', initialBuyAmount: '1' })
  const page = await visit(`/token/${tokenId}`, { as: player, viewport: { width: 1366, height: 768 } })
  const panel = page.getByRole('region', { name: 'Trade STEADY' })
  await findAmount(page).fill('0.5')
  const buy = page.getByRole('button', { name: 'Buy STEADY' })
  for (const [width, height] of [
    [1366, 768],
    [1280, 720],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const share of [0, 0.5, 1]) {
      await page.evaluate((part) => scrollTo(0, document.documentElement.scrollHeight * part), share)
      await expect(buy).toBeInViewport({ ratio: 1 })
    }
  }
  await buy.click()
  const toast = await expectToast(page, 'Purchase Successful!', 'Bought ')
  await expectApart(toast.box, panel)
  await expectApart(toast.box, page.getByRole('slider', { name: /^Chart of/ }))
  await expectApart(toast.box, page.getByRole('heading', { level: 1 }))
  await expect(panel.getByText(/^You own 4\.\d\d% of STEADY$/)).toBeInViewport()
  await expect(panel.getByRole('status')).toHaveText(/^You own 4\.\d\d% of STEADY\. The price moved by \+3\.\d\d%\.$/)
  await expect(findAmount(page)).toHaveValue('')
})

test('an order that comes too late offers to take the new price @nightly', async ({
  visit,
  player,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 422/)
  const other = await registerPlayer(server.url)
  const tokenId = await player.launch({ name: 'Late Moon', symbol: 'LATE' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  const panel = page.getByRole('region', { name: 'Trade LATE' })
  await findAmount(page).fill('1')
  await page.route(
    /trading\.buy/,
    async (route) => {
      await other.buy(tokenId, '5')
      await route.continue()
    },
    { times: 1 },
  )
  await panel.getByRole('button', { name: 'Buy LATE' }).click()
  // Amounts have separators and two decimals everywhere.
  const figure = String.raw`\d\d,\d{3},\d{3}\.\d\d`
  await expectToast(page, 'Purchase Failed', 'The price has moved: you would receive ')
  await expect(panel).toContainText(
    new RegExp(`you would receive ${figure} tokens, less than your minimum of ${figure}\\. Nothing was traded\\.`),
  )
  await expect(findAmount(page)).toHaveValue('1')
  const calls = countCalls(page)
  await panel.getByRole('button', { name: new RegExp(`^Try again for ${figure} LATE`) }).click()
  await expectToast(page, 'Purchase Successful!', 'Bought ')
  expect(calls.filter((path) => path.includes('trading.buy'))).toHaveLength(1)
  await expect(findAmount(page)).toHaveValue('')
  await expect(balanceButton(page)).toHaveAttribute('title', '98.98 SOL')
})

test('an offered amount needs no confirmation, and the player’s own amounts are kept @nightly', async ({
  visit,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Chip Moon', symbol: 'CHIP' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  const chips = page.getByRole('group', { name: 'Quick buy' })
  await page.getByRole('button', { name: 'Edit quick buy amounts' }).click()
  await page.getByRole('textbox', { name: 'New amount in SOL' }).fill('25')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Remove 25 SOL' })).toBeVisible()
  await page.reload()
  await expect(chips.getByRole('button')).toHaveText(['1 SOL', '5 SOL', '10 SOL', '25 SOL'])

  await chips.getByRole('button', { name: '25 SOL' }).click()
  await page.keyboard.press('b')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^This trade alone moves the price by/)).toBeVisible()
  // The field accepts only digits. Letters switch between buying and selling, and Escape means no.
  await findAmount(page).press('s')
  await expect(page.getByRole('textbox', { name: 'Amount in CHIP' })).toBeFocused()
  await page.keyboard.press('b')
  await expect(findAmount(page)).toBeFocused()
  await expect(findAmount(page)).toHaveValue('25')
  await page.keyboard.press('Enter')
  await findAmount(page).focus()
  await page.keyboard.press('Escape')
  await expect(page.getByText(/^This trade alone/)).toHaveCount(0)

  await chips.getByRole('button', { name: '10 SOL' }).click()
  const buy = page.getByRole('button', { name: 'Buy CHIP' })
  await expect(buy).toContainText(/moves the price by \+[5-9]\d\.\d\d%/)
  await buy.click()
  await expectToast(page, 'Purchase Successful!', 'Bought ')
})

/** Checks that two boxes do not overlap. `one` is an element, or the box of a toast that was visible. */
async function expectApart(one: Locator | ShownToast['box'], other: Locator): Promise<void> {
  await expect
    .poll(async () => {
      const a = 'boundingBox' in one ? await one.boundingBox() : one
      const b = await other.boundingBox()
      if (a === null || b === null) return 'not on the page'
      const isApart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
      return isApart ? 'apart' : JSON.stringify({ a, b })
    })
    .toBe('apart')
}
