import type { Page } from '@playwright/test'
import { fetchId } from '../../support/holdings.ts'
import { findSmallFields } from '../../support/looks.ts'
import { registerPlayer } from '../../support/player.ts'
import { liveIndicator } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const TOUCH_PX = 44
const phone = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true }

test('buttons on a phone are at least 44 pixels wide and high @nightly', async ({ visit, player, server }) => {
  const tokenId = await player.launch({ name: 'Own Thumb', symbol: 'OWN', initialBuyAmount: '1' })
  const page = await visit(`/token/${tokenId}`, { as: player, ...phone })
  await expect(page.getByRole('group', { name: 'Timeframe' }).getByRole('button')).toHaveCount(4)
  await expect(page.getByRole('button', { name: 'Pull the rug…' })).toBeVisible()
  expect(await tooSmall(page)).toEqual([])
  expect(await findSmallFields(page)).toEqual([])
  await expect(page.getByRole('link', { name: 'Fairs' })).toHaveAttribute('href', '/fairs')

  // Use another player's token, because a creator's holding counts as part of the pool.
  const creator = await registerPlayer(server.url)
  const heldId = await creator.launch({ name: 'Thumb Moon', symbol: 'THUMB' })
  await player.buy(heldId, '1')
  await page.goto('/portfolio')
  const allocation = page.getByRole('region', { name: 'Allocation' })
  const line = allocation.getByRole('listitem').filter({ hasText: 'Thumb Moon' })
  await expect(line).toBeVisible()
  expect(await tooSmall(page)).toEqual([])
  // A tap beside the name also works.
  await line.tap({ position: { x: 12, y: 4 } })
  await expect(page).toHaveURL(`/token/${heldId}`)
})

test('the bar fits on narrow phones @nightly', async ({ visit, player }) => {
  for (const as of [undefined, player]) {
    const page = await visit('/docs', { ...phone, ...(as && { as }) })
    const bar = page.getByRole('banner')
    const next = as ? bar.getByRole('link', { name: 'Launch Token' }) : page.getByText('Guest 0.00 SOL')
    await expect(liveIndicator(page)).toHaveText('Live')
    for (const width of [375, 360]) {
      await page.setViewportSize({ width, height: 640 })
      const live = await liveIndicator(page).boundingBox()
      const after = await next.boundingBox()
      if (live === null || after === null) throw new Error('not shown')
      expect(after.x - (live.x + live.width)).toBeGreaterThanOrEqual(8)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
    const row = bar
      .getByRole('link', { name: /^(Explore|Fairs|Tape|Leaderboard|Docs|Community)/ })
      .or(page.getByRole('button', { name: 'Search everything' }))
      .filter({ visible: true })
    await expect(row).toHaveCount(7)
    const middles = await row.evaluateAll((all) =>
      all.map((it) => it.getBoundingClientRect()).map(({ y, height }) => Math.round(y + height / 2)),
    )
    expect(new Set(middles).size).toBe(1)
  }
})

test('links on every screen are at least 24 pixels high @nightly', async ({ visit, player, server }) => {
  const maker = await registerPlayer(server.url)
  const tokenId = await maker.launch({ name: 'Dead', symbol: 'DEAD', initialBuyAmount: '2' })
  await player.buy(tokenId, '1')
  await player.launch({ name: 'Own Thumb', symbol: 'OWN' })
  const page = await visit('/', { as: player, ...phone })
  for (const path of [
    '/',
    `/token/${tokenId}`,
    `/user/${await fetchId(player)}`,
    '/dashboard',
    '/portfolio',
    '/settings',
    '/settings?section=security',
    '/docs',
    '/proof',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('link').first()).toBeVisible()
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await page.waitForLoadState('networkidle')
    expect(await findLowLinks(page)).toEqual([])
  }
})

/** Returns the links that are lower than 24 pixels. For a link that covers its row, the row's height counts. */
function findLowLinks(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isLow = (link: Element) => {
      const { height } = link.getBoundingClientRect()
      const cover = getComputedStyle(link, '::after').position === 'absolute'
      return !cover && height > 1 && link.checkVisibility() && height < 24
    }
    return [...document.querySelectorAll('a[href]')].filter(isLow).map((link) => link.outerHTML)
  })
}

/** Returns the names of the buttons and of the bar's links that are too small. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const isSmall = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      return height > 0 && (width < least || height < least)
    }
    return [...document.querySelectorAll('button, header a')].filter(isSmall).map((element) => element.outerHTML)
  }, TOUCH_PX)
}
