import type { Page } from '@playwright/test'
import { liveIndicator } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const chart = (page: Page) => page.getByRole('region', { name: 'Chart' })
const plot = (page: Page) => chart(page).getByRole('slider')

test('on a phone the chart loads without moving the page, and a tap shows its values @nightly', async ({
  visit,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Still Chart', symbol: 'STILL', initialBuyAmount: '1' })
  const viewport = { width: 375, height: 812 }
  const { promise, resolve } = Promise.withResolvers<void>()
  const prepare = (it: Page) =>
    it.route(/\/chart-plot/, async (route) => {
      await promise
      await route.continue()
    })
  const page = await visit(`/token/${tokenId}`, { viewport, hasTouch: true, isMobile: true, prepare })
  await plot(page).scrollIntoViewIfNeeded()
  await expect(chart(page).getByText('Loading chart')).toBeAttached()
  await expect(liveIndicator(page)).toHaveText('Live')
  await player.buy(tokenId, '2')
  await expect(chart(page)).toContainText('Total Trades2')
  const before = await plot(page).evaluate(outline)

  resolve()
  await expect(chart(page).locator('canvas').first()).toBeVisible()
  await expect(chart(page).getByText('Loading chart')).toHaveCount(0)
  // The latest price is beside the axis.
  await expect(chart(page).getByText('0.0₇3628', { exact: true })).toBeVisible()
  expect(await plot(page).evaluate(outline)).toEqual(before)
  await plot(page).tap()
  await expect(plot(page)).toBeFocused()
  // The values at the cross-hair lie over the plot, so the layout does not change.
  await expect(chart(page).getByText('Close')).toBeVisible()
  expect(await plot(page).evaluate(outline)).toEqual(before)

  const box = await plot(page).boundingBox()
  if (box === null) throw new Error('the chart is not there')
  await page.touchscreen.tap(box.x + 30, box.y + box.height / 2)
  await expect(plot(page)).toHaveAttribute('aria-valuetext', /volume/)
  await page.touchscreen.tap(box.x + 100, box.y - 30)
  await expect(plot(page)).toHaveAttribute('aria-valuetext', /^Latest price/)
  const scrolled = await page.evaluate(() => scrollY)
  await swipeUp(page, { x: box.x + 150, y: box.y + 280 })
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(scrolled + 100)
})

/** Returns an element's size and its position within the panel, which do not depend on scrolling. */
function outline(element: SVGElement | HTMLElement): Record<string, number | undefined> {
  const { width, height, top } = element.getBoundingClientRect()
  const panel = element.closest('section')?.getBoundingClientRect()
  return { width, height, down: panel && Math.round(top - panel.top), panelHeight: panel?.height }
}

/** Swipes up by 240 pixels. */
async function swipeUp(page: Page, { x, y }: { x: number; y: number }): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', [{ x, y }])
  for (let up = 12; up <= 240; up += 12) await touch('touchMove', [{ x, y: y - up }])
  await touch('touchEnd', [])
}
