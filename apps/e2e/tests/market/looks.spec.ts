import type { Page } from '@playwright/test'
import { expectGoodLooks, windows } from '../../support/looks.ts'
import type { Player } from '../../support/player.ts'
import { expect, test } from '../../support/test.ts'

/** A name with the max length in the widest letters. */
const LONG_NAME = 'W'.repeat(32)

const screens: Record<string, (page: Page) => Promise<void>> = {
  '/': (page) => expect(page.getByRole('link', { name: LONG_NAME }).first()).toBeVisible(),
  '/auth': (page) => expect(page.getByRole('tab', { name: 'Register' })).toBeVisible(),
  '/launch': (page) => expect(page.getByLabel('Coin Name')).toBeVisible(),
  '/docs': (page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible(),
  '/token': (page) => expect(page.getByRole('heading', { level: 1, name: LONG_NAME })).toBeVisible(),
  '/nowhere': (page) => expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible(),
}

for (const [device, viewport] of Object.entries(windows)) {
  for (const [screen, isThere] of Object.entries(screens)) {
    test(`${screen} on a ${device}: fits, and is open to everybody`, { tag: '@looks' }, async ({
      visit,
      player,
      expectedErrors,
    }) => {
      if (screen === '/nowhere') expectedErrors.push(/status of 404/)
      const tokenId = await launchWide(player)
      const path = screen === '/token' ? `/token/${tokenId}` : screen
      const page = await visit(path, {
        viewport,
        ...(screen !== '/auth' && { as: player }),
      })
      await isThere(page)
      await expectGoodLooks(page)
      if (screen !== '/token' || device !== 'phone') return
      await page.getByRole('button', { name: 'Buy', exact: true }).click()
      await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('1.25')
      await expectGoodLooks(page)
    })
  }
}

test('the tickets of the fair fit every window, however far a price went', async ({ visit, player }) => {
  await launchWide(player)
  const page = await visit('/')
  const changes = page.getByRole('main').getByRole('listitem').getByText(/\d%$/)
  await expect(changes.first()).toBeVisible()
  // This makes each change as long as possible.
  await changes.evaluateAll((spans) => {
    for (const span of spans) span.append('▲+9,999.99%'.slice(span.textContent?.length ?? 0))
  })
  for (const width of [320, 385, 648, 1128]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await measureOverflow(page)).toBe(0)
  }
})

async function launchWide(player: Player): Promise<number> {
  const tokenId = await player.launch({ name: LONG_NAME, symbol: 'WWWWWWWWWW', initialBuyAmount: '1.5' })
  await player.buy(tokenId, '0.123456789')
  return tokenId
}

/** Returns by how many pixels the page is wider than its window. */
function measureOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
