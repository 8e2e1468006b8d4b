import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
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

test('a star can be reached by keyboard before its code is loaded @nightly', async ({ visit, player }) => {
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
