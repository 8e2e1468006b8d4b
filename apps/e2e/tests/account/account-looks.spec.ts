import type { Page } from '@playwright/test'
import { fetchId, pullRug, sellAll } from '../../support/holdings.ts'
import { expectGoodLooks } from '../../support/looks.ts'
import { type Player, registerPlayer } from '../../support/player.ts'
import { expect, test } from '../../support/test.ts'

const widths = {
  phone: { width: 375, height: 812 },
  tablet: { width: 800, height: 1000 },
  desktop: { width: 1280, height: 800 },
}

/** A name with the max length in the widest letters. */
const LONG_NAME = 'W'.repeat(32)

const screens: Record<string, (page: Page) => Promise<void>> = {
  '/leaderboard': (page) => expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible(),
  '/dashboard': (page) => expect(page.getByRole('table', { name: 'Created Tokens' })).toBeVisible(),
  '/portfolio': (page) => expect(page.getByRole('link', { name: LONG_NAME }).first()).toBeVisible(),
  '/user': (page) => expect(page.getByRole('link', { name: LONG_NAME }).first()).toBeVisible(),
}

for (const [device, viewport] of Object.entries(widths)) {
  test(`what a player owns and won, on a ${device}: fits, and is open to everybody`, { tag: '@looks' }, async ({
    visit,
    ownServer,
  }) => {
    const { url } = ownServer
    const player = await registerPlayer(url)
    await fillPockets(url, player)
    const page = await visit(`${url}/docs`, { as: player, viewport })
    for (const [screen, isThere] of Object.entries(screens)) {
      await page.goto(screen === '/user' ? `${url}/user/${await fetchId(url, player)}` : `${url}${screen}`)
      await isThere(page)
      await expectGoodLooks(page)
    }
  })
}

/** Gives the player a realized profit, a gain, a loss, a tiny amount, a rugged token, and names with the max length. */
async function fillPockets(url: string, player: Player): Promise<void> {
  const whale = await registerPlayer(url)
  const own = await player.launch({ name: LONG_NAME, symbol: 'WWWWWWWWWW', initialBuyAmount: '5' })
  await whale.buy(own, '40')
  await sellAll(url, whale, own)
  const pumped = await whale.launch({ name: `${LONG_NAME.slice(1)}M`, symbol: 'PUMP' })
  await player.buy(pumped, '2')
  await whale.buy(pumped, '30')
  const sold = await whale.launch({ name: 'Sold', symbol: 'SOLD' })
  await player.buy(sold, '3')
  await whale.buy(sold, '20')
  await sellAll(url, player, sold)
  const rug = await whale.launch({ name: 'Carpet', symbol: 'RUG' })
  await player.buy(rug, '1.5')
  await pullRug(url, whale, rug)
  const dust = await whale.launch({ name: 'Dust', symbol: 'DUST' })
  await player.buy(dust, '0.000001')
}
