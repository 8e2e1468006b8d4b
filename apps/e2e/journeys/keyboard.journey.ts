import { registerPlayer } from '../support/player.ts'
import { BROWSER, DESKTOP, expect, test } from './journey-test.ts'
import type { Traveller } from './traveller.ts'

const TAB_STOPS_MAX = 80

test('day trader by keyboard alone: finds a token, buys, sells', async ({ travel, market }) => {
  const trader = await travel(DESKTOP, await registerPlayer(market.server.url))
  await trader.goto('/')
  await trader.see('Market cap')
  await trader.press('/')
  await trader.write('tiger')
  await trader.film('searched')
  await tabTo(trader, /Toothless Tiger/)
  await trader.film('found')
  await trader.press('Enter')
  await trader.arrive(/^\/token\/\d+$/)
  await trader.lookAt({ role: 'textbox', name: 'Amount in SOL' })
  await trader.press('b')
  await trader.write('2')
  await trader.film('b, and the amount')
  await trader.press('Enter')
  await trader.see('Purchase Successful!')
  await trader.film('bought')
  // From the amount field, which has the focus.
  await trader.press('s')
  await trader.lookAt({ role: 'textbox', name: 'Amount in TIGER' })
  await trader.write('1000000')
  await trader.film('s, and the amount')
  await trader.press('Enter')
  await trader.see('Sale Successful!')
  await trader.film('sold')
  const { taps } = await trader.finish(`keyboard-desktop-${BROWSER}`)
  expect(taps, 'nothing was clicked').toBe(0)
})

/** Presses Tab until the focused element's name matches. */
async function tabTo(trader: Traveller, name: RegExp): Promise<void> {
  for (let stops = 0; stops < TAB_STOPS_MAX; stops++) {
    const focused = await trader.page.run<string>('function () { return document.activeElement?.textContent ?? "" }')
    if (name.test(focused)) return
    await trader.press('Tab')
  }
  throw new Error(`No ${name} within ${TAB_STOPS_MAX} tab stops.`)
}
