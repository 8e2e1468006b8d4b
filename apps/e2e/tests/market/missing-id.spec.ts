import type { Page, Route } from '@playwright/test'
import { expect, test } from '../../support/test.ts'

const TOKEN = ['Token not found', "This token doesn't exist or has been removed."] as const
const USER = ['User not found', "This user doesn't exist."] as const

for (const width of [375, 1280]) {
  test(`a URL of no token, player or screen says so without moving visible content, at ${width} px @nightly`, async ({
    visit,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 404/)
    // Responds only after the skeleton has been painted.
    const answerLate = async (route: Route) => {
      const answer = await route.fetch()
      await expect(route.request().frame().page().getByRole('main').locator('[class*=skeleton]').first()).toBeVisible()
      await route.fulfill({ response: answer })
    }
    const page = await visit('/token/2000000000', {
      viewport: { width, height: 812 },
      prepare: async (it) => {
        await it.route(/\/trpc\/.*(tokens\.get|users\.profile)/, answerLate)
        await it.addInitScript(watchShifts)
      },
    })
    for (const [path, [title, sentence]] of Object.entries({
      '/token/2000000000': TOKEN,
      '/user/2147483647': USER,
      ...(width === 375 ? { '/token/paper': TOKEN, '/user/nobody': USER } : {}),
    })) {
      if (!page.url().endsWith(path)) await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
      await expect(page.getByText(sentence)).toBeVisible()
      expect(await sumShifts(page)).toBeLessThan(0.05)
    }
    await page.goto('/no/such/tent')
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
  })
}

/** Runs in the page. */
function watchShifts(): void {
  const shifts: number[] = []
  Object.assign(window, { shifts })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value))
  }).observe({ type: 'layout-shift', buffered: true })
}

async function sumShifts(page: Page): Promise<number> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  return await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0))
}
