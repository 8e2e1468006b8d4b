import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The page is not wider than its window, and axe finds nothing serious on it. */
export async function expectGoodLooks(page: Page): Promise<void> {
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(tooWide).toBe(0)
  const { violations } = await new AxeBuilder({ page }).analyze()
  const barriers = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ target, html }) => `${id} (${help}) at ${target}: ${html}`))
  expect(barriers).toEqual([])
}
