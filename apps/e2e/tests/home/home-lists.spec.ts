import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { registerPlayer } from '../../support/player.ts'
import { tokenCards } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const star = (page: Page, name: string) => page.getByRole('button', { name: `Watch ${name}` })
const filter = (page: Page, name: string) => page.getByRole('search').getByRole('button', { name })

test('the first card is on the first screen, for guests and players @nightly', async ({ visit, player }) => {
  await player.launch({ name: 'Above the Fold', symbol: 'FOLD' })
  for (const [how, title] of [
    [{}, 'trade like a millionaire'],
    [{ as: player }, 'Explore'],
  ] as const) {
    const page = await visit('/', how)
    const card = tokenCards(page).first()
    for (const [width, height] of [
      [1280, 720],
      [375, 667],
    ] as const) {
      await page.setViewportSize({ width, height })
      // The card's numbers appear after the first paint, in reserved space.
      await expect(card).toContainText(/\d+ holders?/)
      const box = await card.boundingBox()
      expect(box?.y).toBeLessThan(height - 130)
      expect(box?.height).toBe(148)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    }
  }
})

test('a guest’s stars are kept on the device, and go to the account at the sign-in @nightly', async ({
  visit,
  player,
}) => {
  const name = `Star ${randomUUID().slice(0, 6)}`
  for (const part of ['one', 'two']) await player.launch({ name: `${name} ${part}`, symbol: 'STAR' })
  const page = await visit('/?starred=true')
  await expect(page.getByText('Press the star on a token to add it to this list.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all tokens' }).click()
  await page.getByPlaceholder('Search tokens...').fill(name)
  // The Tab key reaches a card first, and then its star.
  await tokenCards(page)
    .filter({ hasText: `${name} one` })
    .focus()
  await expect(star(page, `${name} one`)).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(star(page, `${name} one`)).toHaveAttribute('aria-pressed', 'true')
  await filter(page, 'Watchlist').click()
  await expect(tokenCards(page)).toContainText([`${name} one`])
  await page.reload()
  await expect(tokenCards(page)).toContainText([`${name} one`])

  const newcomer = await registerPlayer(new URL(page.url()).origin)
  const [session] = await (await visit('/docs', { as: newcomer })).context().cookies()
  if (session !== undefined) await page.context().addCookies([session])
  await page.goto('/?starred=true')
  await expect(tokenCards(page)).toContainText([`${name} one`])
  await expect.poll(() => page.evaluate(() => localStorage.getItem('papermoon-stars'))).toBeNull()
  // The star also appears on the player's other device and on the token's page.
  const other = await visit('/?starred=true', { as: newcomer })
  await tokenCards(other)
    .filter({ hasText: `${name} one` })
    .click()
  await expect(star(other, `${name} one`)).toHaveAttribute('aria-pressed', 'true')
  await star(other, `${name} one`).click()
  await expect(star(other, `${name} one`)).toHaveAttribute('aria-pressed', 'false')
})

test('a star has its place in the order of the keys before its code has come @nightly', async ({ visit, player }) => {
  const name = `Early ${randomUUID().slice(0, 6)}`
  await player.launch({ name, symbol: 'EARLY' })
  const page = await visit('/docs')
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(/card-parts-.*\.js/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`/?q=${encodeURIComponent(name)}`)
  await tokenCards(page).filter({ hasText: name }).focus()
  await page.keyboard.press('Tab')
  await expect(star(page, name)).toBeFocused()
  // The page also handles a key that was pressed while the code was loading.
  await page.keyboard.press('Enter')
  letGo()
  await expect(star(page, name)).toHaveAttribute('aria-pressed', 'true')
})

test('rugged tokens are hidden on request, and a list without a match says what to do @nightly', async ({
  visit,
  player,
}) => {
  const name = `Rug ${randomUUID().slice(0, 6)}`
  const id = await player.launch({ name, symbol: 'RUG' })
  await player.rug(id)
  const page = await visit(`/?q=${encodeURIComponent(name)}`)
  await expect(tokenCards(page)).toContainText([name])
  await filter(page, 'Hide rugged').click()
  await expect(page).toHaveURL(/rugged=hide/)
  await expect(page.getByRole('heading', { name: 'No tokens found' })).toBeVisible()
  await expect(page.getByText('Be the first to launch a token!')).toBeVisible()
  await page.getByRole('button', { name: 'Show rugged tokens' }).click()
  await expect(tokenCards(page)).toContainText([name])
  await page.getByPlaceholder('Search tokens...').fill('no token has such a name')
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await expect(tokenCards(page).first()).toBeVisible()
})
