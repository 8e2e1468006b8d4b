import { liveIndicator, tokenCards } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

/** A page without an icon makes Chromium ask for this one. */
const NO_ICON = /favicon\.ico/

declare global {
  interface Window {
    intlUses: string[]
    drawnRows: number[]
  }
}

test('the three busiest pages start without Intl, whose first use takes more than 10 ms', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(NO_ICON)
  const tokenId = await player.launch({ name: 'Quick Moon', symbol: 'QUICK', initialBuyAmount: '1' })
  for (const path of ['/', '/leaderboard', `/token/${tokenId}`]) {
    const page = await visit('/healthz')
    await page.addInitScript(() => {
      const uses: string[] = []
      window.intlUses = uses
      const record = (name: string) => uses.push(`${name} ${new Error(name).stack?.split('\n')[3]?.trim()}`)
      for (const name of ['DateTimeFormat', 'NumberFormat', 'PluralRules', 'RelativeTimeFormat', 'Collator'] as const) {
        Object.defineProperty(Intl, name, {
          value: new Proxy(Intl[name], {
            construct: (target, args, newTarget) => {
              record(name)
              return Reflect.construct(target, args, newTarget)
            },
            apply: (target, self, args) => {
              record(name)
              return Reflect.apply(target as () => unknown, self, args)
            },
          }),
        })
      }
      const methods: readonly (readonly [object, string])[] = [
        [Number.prototype, 'toLocaleString'],
        [Date.prototype, 'toLocaleString'],
        [Date.prototype, 'toLocaleDateString'],
        [Date.prototype, 'toLocaleTimeString'],
        [String.prototype, 'localeCompare'],
      ]
      for (const [prototype, name] of methods) {
        const method: () => unknown = Reflect.get(prototype, name)
        const value = new Proxy(method, {
          apply: (target, self, args) => {
            record(name)
            return Reflect.apply(target, self, args)
          },
        })
        Object.defineProperty(prototype, name, { value })
      }
    })
    await page.goto(path)
    await expect(liveIndicator(page)).toHaveText('Live')
    if (path === '/') await expect(tokenCards(page).first()).toContainText('1 holder')
    if (path.startsWith('/token')) await expect(page.locator('canvas').first()).toBeVisible()
    if (path === '/leaderboard') await expect(page.getByRole('heading', { name: 'All time' })).toBeVisible()
    expect(await page.evaluate(() => window.intlUses), path).toEqual([])
    // The full time is written when somebody points at one.
    if (path === '/leaderboard') continue
    const moment = page.locator('time').first()
    await expect(moment).not.toHaveAttribute('title')
    await moment.hover()
    await expect(moment).toHaveAttribute('title', /\d/)
    expect(await page.evaluate(() => window.intlUses.length), path).toBe(1)
  }
})

test('a phone draws what is below the fold after the first screen', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(NO_ICON)
  const tokenId = await player.launch({ name: 'Folded Moon', symbol: 'FOLD', initialBuyAmount: '1' })
  const page = await visit('/healthz', { viewport: { width: 375, height: 667 } })
  // How many trades there are whenever the page changes, from its heading on.
  await page.addInitScript(() => {
    window.drawnRows = []
    new MutationObserver(() => {
      const isDrawn = [...document.querySelectorAll('h2')].some((it) => it.textContent === 'Trading History')
      const rows = document.querySelectorAll('[role=table] [role=row]').length
      if (isDrawn && window.drawnRows.at(-1) !== rows) window.drawnRows.push(rows)
    }).observe(document, { childList: true, subtree: true })
  })
  const table = page.getByRole('table', { name: 'Trading History' })
  await page.goto(`/token/${tokenId}`)
  // A phone hides the row of headings.
  await expect(table.getByRole('row')).toHaveCount(1)
  expect(await page.evaluate(() => window.drawnRows)).toEqual([0, 2])
})
