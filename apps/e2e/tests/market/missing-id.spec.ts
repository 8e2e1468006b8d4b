import { expect, test } from '../../support/test.ts'

for (const width of [375, 1280]) {
  for (const [path, title] of [
    ['/token/9999999', 'Token not found'],
    ['/user/9999999', 'User not found'],
  ] as const) {
    test(`${path} says that there is none, and nothing that was seen jumps, ${width} px`, async ({
      visit,
      expectedErrors,
    }) => {
      expectedErrors.push(/status of 404/)
      const page = await visit('/docs', { viewport: { width, height: 812 } })
      // Answers only after the skeleton has been painted.
      await page.route(/\/trpc\/.*(tokens\.get|users\.profile)/, async (route) => {
        const answer = await route.fetch()
        await expect(page.getByRole('main').locator('[class*=skeleton]').first()).toBeVisible()
        await route.fulfill({ response: answer })
      })
      await page.addInitScript(() => {
        const shifts: number[] = []
        Object.assign(window, { shifts })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value))
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
      const sum = () =>
        page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0))
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      expect(await sum()).toBeLessThan(0.05)
    })
  }
}
