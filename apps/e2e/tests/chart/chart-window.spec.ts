import type { Page, Route } from '@playwright/test'
import { expect, test } from '../../support/test.ts'

const chart = (page: Page) => page.getByRole('region', { name: 'Chart' })
const plot = (page: Page) => chart(page).getByRole('slider')
const backToNow = (page: Page) => chart(page).getByRole('button', { name: 'Return to now' })
const showAll = (page: Page) => chart(page).getByRole('button', { name: 'Show all' })

const CANDLES = 120
const MINUTE_MS = 60_000

/** Stops a page's clock, and replaces the chart's data with two hours of one-minute candles. */
async function showHours(page: Page, nowMs = Date.now()): Promise<void> {
  // Stop the clock, because the axis grows every minute.
  await page.clock.setFixedTime(nowMs)
  await page.route('**/trpc/**', (route) => answerWithHours(route, nowMs))
}

async function answerWithHours(route: Route, nowMs: number): Promise<void> {
  const procedures = new URL(route.request().url()).pathname.split('/').at(-1)?.split(',') ?? []
  if (!procedures.includes('tokens.chart')) return route.continue()
  const response = await route.fetch()
  const answers: { result: { data: { json: object } } }[] = await response.json()
  const answer = answers[procedures.indexOf('tokens.chart')]
  if (answer !== undefined) Object.assign(answer.result.data.json, { width: 60, candles: listMinutes(nowMs) })
  await route.fulfill({ response, json: answers })
}

function listMinutes(nowMs: number) {
  const lastMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  return Array.from({ length: CANDLES }, (_, place) => {
    const price = `0.0000000${3_000 + (place % 30) * 10}`
    const time = new Date(lastMs - (CANDLES - 1 - place) * MINUTE_MS).toISOString()
    return { time, open: price, high: price, low: price, close: price, volume: '1' }
  })
}

async function expectDrawn(page: Page): Promise<void> {
  await expect(plot(page).locator('canvas').first()).toBeVisible()
  await expect(chart(page).getByText('Loading chart')).toHaveCount(0)
}

async function centre(page: Page): Promise<{ x: number; y: number }> {
  const box = await plot(page).boundingBox()
  if (box === null) throw new Error('the chart is not on screen')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

test('the chart zooms by wheel and keys, moves by dragging, and returns to now', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Zoom Chart', symbol: 'ZOOM', initialBuyAmount: '1' })
  const page = await visit(`/token/${tokenId}`, { prepare: showHours })
  await plot(page).hover()
  await expect(plot(page)).toHaveAttribute('aria-valuetext', /volume/)
  await expectDrawn(page)
  await page.mouse.move(0, 0)
  await expect(plot(page)).toHaveAttribute('aria-valuetext', /^Latest price/)
  await plot(page).hover()
  await expect(showAll(page)).toHaveCount(0)

  // Without a modifier key, the wheel scrolls the page.
  await page.mouse.wheel(0, 60)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0)
  await expect(showAll(page)).toHaveCount(0)

  const { x, y } = await centre(page)
  await page.mouse.move(x + 250, y)
  await page.keyboard.down('Control')
  for (let notch = 0; notch < 4; notch++) await page.mouse.wheel(0, -100)
  await page.keyboard.up('Control')
  await expect(showAll(page).or(backToNow(page))).toBeVisible()
  await page.mouse.move(x - 100, y)
  await page.mouse.down()
  await page.mouse.move(x + 100, y, { steps: 5 })
  await page.mouse.up()
  await expect(backToNow(page)).toBeVisible()
  // A drag must not count as a click, because a click would open the time machine.
  expect(new URL(page.url()).search).toBe('')
  // ECharts reports the last move of a drag up to 100 ms later, which may be after the first key press.
  await expect(async () => {
    await backToNow(page).press('Enter')
    await expect(backToNow(page)).toHaveCount(0, { timeout: 1_000 })
  }).toPass()

  await plot(page).focus()
  await expect(plot(page)).toHaveAttribute('aria-valuemin', '0')
  await page.keyboard.press('+')
  await expect(plot(page)).not.toHaveAttribute('aria-valuemin', '0')
  await page.keyboard.press('0')
  await expect(plot(page)).toHaveAttribute('aria-valuemin', '0')
})

test('on a phone two fingers zoom the chart and one moves it sideways @nightly', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Pinch Chart', symbol: 'PINCH', initialBuyAmount: '1' })
  const page = await visit(`/token/${tokenId}`, {
    viewport: { width: 375, height: 812 },
    hasTouch: true,
    isMobile: true,
    prepare: (it) => it.route('**/trpc/**', (route) => answerWithHours(route, Date.now())),
  })
  await plot(page).scrollIntoViewIfNeeded()
  await expectDrawn(page)
  const { x, y } = await centre(page)
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', xs: readonly number[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((at, id) => ({ x: at, y, id })) })
  await touch('touchStart', [x - 20, x + 20])
  for (let apart = 30; apart <= 90; apart += 20) await touch('touchMove', [x - apart, x + apart])
  await touch('touchEnd', [])
  await expect(showAll(page).or(backToNow(page))).toBeVisible()
  await touch('touchStart', [x - 80])
  for (let at = -60; at <= 100; at += 20) await touch('touchMove', [x + at])
  await touch('touchEnd', [])
  await expect(backToNow(page)).toBeVisible()
  // Use the mouse here, because Chromium treats a tap right after a swipe as the end of the swipe.
  await backToNow(page).click()
  await expect(backToNow(page)).toHaveCount(0)
})
