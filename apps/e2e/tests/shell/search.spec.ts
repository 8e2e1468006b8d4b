import type { Page } from '@playwright/test'
import { registerPlayer } from '../../support/player.ts'
import { expect, test } from '../../support/test.ts'

const findPalette = (page: Page) => page.getByRole('dialog', { name: 'Search everything' })
const field = (page: Page) => findPalette(page).getByRole('combobox')

/** Opens the palette with its keys, once the page handles them. */
async function openByKeys(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Search everything' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(field(page)).toBeFocused()
}
const option = (page: Page, name: string | RegExp) => findPalette(page).getByRole('option', { name })

test('Ctrl-K and / open the search, which works by keys @nightly', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/)
  const friend = await registerPlayer(server.url)
  const symbol = friend.username.slice(2).toUpperCase()
  const tokenId = await friend.launch({ name: 'Lantern', symbol, emoji: '🏮' })
  const page = await visit('/docs', { as: player })
  const list = page.getByPlaceholder('Search tokens...')
  const nav = page.getByRole('navigation', { name: 'Main' }).first()
  await nav.getByRole('link', { name: 'Explore' }).click()
  await expect(list).toBeVisible()
  await page.keyboard.press('/')
  await expect(list).toBeFocused()
  await openByKeys(page)
  await page.keyboard.press('Escape')
  await expect(findPalette(page)).toHaveCount(0)
  await expect(list).toBeFocused()

  await nav.getByRole('link', { name: 'Leaderboard' }).click()
  await expect(page).toHaveURL('/leaderboard')
  await page.keyboard.press('/')
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue('')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(findPalette(page)).toHaveCount(0)

  await openByKeys(page)
  // Enter is pressed before the response arrives, so it must wait for a match with the typed text.
  await page.keyboard.type(symbol)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/token/${tokenId}`)

  await page.getByRole('button', { name: 'Search everything' }).click()
  await expect(option(page, symbol)).toHaveAttribute('aria-selected', 'true')
  await field(page).fill(friend.username)
  await expect(option(page, friend.username)).toHaveAttribute('aria-selected', 'true')
  await expect(field(page)).toHaveAttribute('aria-activedescendant', /^player-/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/user\/\d+$/)

  await openByKeys(page)
  await field(page).fill('portf')
  await expect(option(page, 'Portfolio')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/portfolio')
  let isAway = true
  await page.route(/search\.everything/, (route) => (isAway ? route.abort() : route.continue()))
  await openByKeys(page)
  await field(page).fill('no such thing')
  await expect(findPalette(page).getByRole('alert')).toContainText('The server didn’t respond.')
  isAway = false
  await findPalette(page).getByRole('button', { name: 'Try again' }).click()
  await expect(findPalette(page).getByRole('status')).toHaveText('No results for “no such thing”.')
  await field(page).fill('')
  await page.keyboard.press('ArrowUp')
  await expect(option(page, 'Logout')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/auth')
})
