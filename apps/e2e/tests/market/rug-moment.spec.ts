import type { Page } from '@playwright/test'
import { registerPlayer } from '../../support/player.ts'
import { expectToast, liveIndicator, paste } from '../../support/screen.ts'
import { expect, test, type Visit } from '../../support/test.ts'

const stamp = (page: Page) => page.locator('[data-moves]')

interface Stamp {
  readonly moves: string | undefined
  readonly text: string | null
  /** Number of animations that are running when the stamp appears. */
  readonly animations: number
}

/**
 * Starts to watch for the stamp in the page, because the stamp is visible for only 2.6 s and a slow test may look
 * later.
 */
async function watchForStamp(page: Page): Promise<() => Promise<Stamp>> {
  const seen = await page.evaluateHandle(() => {
    const stamped = new Promise<Stamp>((resolve) => {
      const look = () => {
        const moment = document.querySelector<HTMLElement>('[data-moves]')
        if (moment === null) return
        observer.disconnect()
        const isTimed = ({ effect }: Animation) => Number(effect?.getComputedTiming().duration) > 0
        const animations = document.getAnimations().filter(isTimed).length
        resolve({ moves: moment.dataset.moves, text: moment.textContent, animations })
      }
      const observer = new MutationObserver(look)
      observer.observe(document.body, { childList: true, subtree: true })
    })
    return { stamped }
  })
  return () => seen.evaluate(({ stamped }) => stamped)
}

test('visitors see a rug pull happen, and can share and replay it @nightly', async ({ visit, server, player }) => {
  const creator = await registerPlayer(server.url)
  const tokenId = await creator.launch({ name: 'Trapdoor', symbol: 'TRAP', initialBuyAmount: '2' })
  const open = (how: Visit) => visit(`/token/${tokenId}`, { as: player, ...how })
  const page = await open({
    reducedMotion: 'no-preference',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const still = await open({ reducedMotion: 'reduce' })
  const danger = page.getByRole('region', { name: 'What if large holders sold everything?' })
  for (const each of [page, still]) await expect(liveIndicator(each)).toHaveText('Live')
  await expect(danger).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pull the rug…' })).toHaveCount(0)
  const [stamped, stampedStill] = [await watchForStamp(page), await watchForStamp(still)]
  await creator.rug(tokenId)
  expect(await stamped()).toMatchObject({ moves: 'true', text: 'Rugged' })
  expect(await stampedStill()).toEqual({ moves: 'false', text: 'Rugged', animations: 0 })
  await expect(page.locator('#spoken')).toContainText(
    'The rug was pulled. TRAP is closed for good, and its price is 0.',
  )
  await expect(page.getByRole('region', { name: 'Top Holders' })).toContainText('now worth nothing')
  await expect(danger).toHaveCount(0)
  const story = page.getByRole('region', { name: 'The rug was pulled' })
  await expect(story).toContainText('No other player held the token then.')
  await expect(story.getByRole('listitem')).toHaveCount(0)
  // The stamp disappears by itself, and later visits do not show it again.
  await expect(stamp(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Share the story' }).click()
  await expectToast(page, 'Copied!', 'Link to the card')
  expect(await paste(page)).toBe(`${server.url}/token/${tokenId}`)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Share the story' })).toBeVisible()
  await expect(stamp(page)).toHaveCount(0)
  for (const [each, choice] of [
    [page, 'Watch the rug pull in slow motion'],
    [still, '100×'],
  ] as const) {
    await each.getByRole('link', { name: 'Watch the rug pull happen' }).click()
    await expect(each.getByRole('button', { name: choice })).toBeVisible()
  }
})
