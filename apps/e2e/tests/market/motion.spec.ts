import type { Page } from '@playwright/test'
import { expectGoodMotion, holdMotion } from '../../support/held-motion.ts'
import { sellAll } from '../../support/holdings.ts'
import { windows } from '../../support/looks.ts'
import { registerPlayer } from '../../support/player.ts'
import { holdCalls, liveIndicator } from '../../support/screen.ts'
import type { Server } from '../../support/server.ts'
import { expect, test, type Visit } from '../../support/test.ts'

/** Opens another page of the app first, so that its scripts draw the loading state of the next one. */
async function visitMoving(
  visit: (path: string, visit?: Visit) => Promise<Page>,
  { url }: Server,
  how: Visit,
): Promise<Page> {
  const page = await visit(`${url}/docs`, { reducedMotion: 'no-preference', ...how })
  await holdMotion(page)
  await page.reload()
  await expect(liveIndicator(page)).toHaveText('Live')
  return page
}

/** The tape moves on at most once a second, by a timer that a held page would not let end. */
const TAPE_STEP_MS = 1_000

/** Waits until the tape moves on with the next trade at once. */
async function waitForTape(page: Page): Promise<void> {
  await expect(page.getByRole('region', { name: 'Latest trades' }).getByRole('listitem').first()).toBeVisible()
  await page.waitForTimeout(TAPE_STEP_MS)
}

for (const scheme of ['dark', 'light'] as const) {
  test(`axe finds nothing while home and the leaderboard move, ${scheme}`, { tag: '@looks' }, async ({
    visit,
    ownServer,
  }) => {
    const { url } = ownServer
    const [creator, winner] = [await registerPlayer(url), await registerPlayer(url)]
    const tokenId = await creator.launch({ name: 'Swing Moon', symbol: 'SWING', initialBuyAmount: '1' })
    await winner.buy(tokenId, '1')
    await creator.buy(tokenId, '20')
    await sellAll(url, winner, tokenId)
    const page = await visitMoving(visit, ownServer, { scheme, viewport: windows.desktop })

    const answerList = await holdCalls(page, /tokens\.list/)
    await page.getByRole('navigation').getByRole('link', { name: 'Explore' }).first().click()
    await expectGoodMotion(page, [/glimmer/])
    await answerList()
    await expectGoodMotion(page, [/come-in/])
    await waitForTape(page)
    await creator.buy(tokenId, '2')
    await expectGoodMotion(page, [/script/, /transform/])
    await page.getByRole('button', { name: 'Search everything' }).click()
    const palette = page.getByRole('dialog', { name: 'Search everything' })
    await expect(palette.getByRole('combobox')).toBeFocused()
    await expectGoodMotion(page, [])
    await page.keyboard.press('Escape')
    await expect(palette).toBeHidden()

    const answerBoard = await holdCalls(page, /leaderboard\.get/)
    await page.getByRole('navigation').getByRole('link', { name: 'Leaderboard' }).first().click()
    await expectGoodMotion(page, [/glimmer/, /swing/])
    await answerBoard()
    await expectGoodMotion(page, [/come-in/])
  })

  test(`axe finds nothing while a token moves, ${scheme}`, { tag: '@looks' }, async ({ visit, ownServer }) => {
    const { url } = ownServer
    const [creator, player] = [await registerPlayer(url), await registerPlayer(url)]
    const tokenId = await creator.launch({ name: 'Slide Moon', symbol: 'SLIDE', initialBuyAmount: '1' })
    const page = await visitMoving(visit, ownServer, { as: player, scheme, viewport: windows.phone })
    await page.getByRole('navigation').getByRole('link', { name: 'Explore' }).first().click()
    const answer = await holdCalls(page, /tokens\.get/)
    await page
      .getByRole('link', { name: /Slide Moon/ })
      .first()
      .click()
    await expectGoodMotion(page, [/glimmer/])
    await answer()
    await expect(page.getByRole('heading', { level: 1, name: 'Slide Moon' })).toBeVisible()
    await creator.buy(tokenId, '2')
    await expectGoodMotion(page, [/script/])
    await page.getByRole('button', { name: 'Buy', exact: true }).click()
    await expectGoodMotion(page, [/opacity/, /transform/])
    await page.getByRole('button', { name: '1 SOL' }).click()
    await page.getByRole('button', { name: /^Buy SLIDE/ }).click()
    await expectGoodMotion(page, [/fly/])
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expectGoodMotion(page, [/transform/])
    await page.keyboard.press('Escape')
    await creator.rug(tokenId)
    await expectGoodMotion(page, [/fall/, /fly/])
  })
}
