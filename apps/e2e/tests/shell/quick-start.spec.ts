import { liveIndicator, tokenCards } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

declare global {
  interface Window {
    intlUses: string[]
  }
}

test('the three busiest pages start without Intl, whose first use takes more than 10 ms', async ({ visit, player }) => {
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
            construct: (target, args, asked) => {
              record(name)
              return Reflect.construct(target, args, asked)
            },
          }),
        })
      }
      const prototypes = { Number: Number.prototype, Date: Date.prototype }
      for (const [name, prototype] of Object.entries(prototypes)) {
        prototype.toLocaleString = new Proxy(prototype.toLocaleString, {
          apply: (target, value, args) => {
            record(`${name}.toLocaleString`)
            return Reflect.apply(target, value, args)
          },
        })
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
