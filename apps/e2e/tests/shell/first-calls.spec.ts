import type { Page } from '@playwright/test'
import { balanceButton, countCalls, liveIndicator, tokenCards } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

declare global {
  interface Window {
    intlUses: string[]
  }
}

test('the busiest pages preload their first calls, and start without Intl', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Early Moon', symbol: 'EARLY', initialBuyAmount: '1' })
  const page = await visit('/', { prepare: (it) => it.addInitScript(recordIntl) })
  for (const [path, call] of Object.entries({
    '/': 'tokens.tape,tokens.movers,tokens.list',
    [`/token/${tokenId}`]: 'tokens.get',
    '/leaderboard': 'leaderboard.get',
  })) {
    if (path !== '/') await page.goto(path)
    await expect(liveIndicator(page)).toHaveText('Live')
    if (path === '/') await expect(tokenCards(page).first()).toContainText('1 holder')
    if (path.startsWith('/token')) await expect(page.locator('canvas').first()).toBeVisible()
    if (path === '/leaderboard') {
      const winners = page.getByRole('main').getByRole('listitem')
      await expect(winners.or(page.getByText('No Winners Yet')).first()).toBeVisible()
    }
    // Intl must not be used at first, because its first use takes more than 10 ms.
    expect(await page.evaluate(() => window.intlUses), path).toEqual([])
    await expectPreloaded(`/trpc/site.settings,${call}`, page)
    // The page formats the full time only when someone points at a time.
    if (path === '/leaderboard') continue
    const moment = page.locator('time').first()
    await expect(moment).not.toHaveAttribute('title')
    await moment.hover()
    await expect(moment).toHaveAttribute('title', /\d/)
    expect(await page.evaluate(() => window.intlUses.length), path).toBe(1)
  }
})

test('a player’s token page sends what it preloads once too, and the position by itself @nightly', async ({
  visit,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Held Moon', symbol: 'HELD', initialBuyAmount: '1' })
  const page = await visit('/docs', { as: player })
  const position = page.waitForResponse(/trading\.position/)
  await page.goto(`/token/${tokenId}`)
  await position
  await expect(liveIndicator(page)).toHaveText('Live')
  await expectPreloaded('/trpc/site.settings,tokens.get', page)
})

test('the user is fetched once per page, before its scripts run @nightly', async ({ visit, player }) => {
  let calls: string[] = []
  const count = async (it: Page) => {
    calls = countCalls(it)
  }
  const page = await visit('/docs', { as: player, prepare: count })
  await expect(balanceButton(page)).toContainText('100.00')
  expect((await listInitiators('/trpc/auth.me', page))[0]).toBe('link')
  // If a preload did not match the call, there would be a second request.
  expect(calls.filter((path) => path === '/trpc/auth.me')).toHaveLength(1)
})

/**
 * Expects that a batch with this beginning was sent once, by the page's preload link. This proves that the scripts made
 * the same call.
 */
async function expectPreloaded(call: string, page: Page): Promise<void> {
  const hint = 'the screen calls something else than its route prefetches: see LOADERS in apps/web/src/first-calls.ts'
  expect(await listInitiators(call, page), hint).toEqual(['link'])
}

/** Returns the initiators of the requests with this beginning, in order. */
function listInitiators(call: string, page: Page): Promise<string[]> {
  return page.evaluate(
    (start) =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes(start))
        .map((entry) => (entry as PerformanceResourceTiming).initiatorType),
    call,
  )
}

/** This function runs in the page. Records which code uses Intl. */
function recordIntl(): void {
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
}
