import type { Locator } from '@playwright/test'
import { registerPlayer } from '../../support/player.ts'
import { authForm, balanceButton, expectToast } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const TAPS_MAX = 9
/**
 * Seconds per tap and per key, according to the keystroke-level model (Card, Moran and Newell, 1980). A tap includes
 * deciding and pointing.
 */
const [TAP_S, KEY_S] = [1.35 + 1.1, 0.28]
/** Max seconds for the player's own actions, without the time that the page needs. */
const SECONDS_MAX = 35
const phone = { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true }

test('a guest on a phone trades with 9 taps and 35 seconds of work @nightly', async ({ visit, server }) => {
  const creator = await registerPlayer(server.url)
  await creator.launch({ name: 'First Stop', symbol: 'FIRST', initialBuyAmount: '10' })
  const page = await visit('/', phone)
  let [taps, keys] = [0, 0]
  const tap = async (target: Locator) => {
    taps++
    await target.tap()
  }
  /** Count the tap that opens the keyboard, even if the page has already focused the field. */
  const type = async (field: Locator, text: string) => {
    await tap(field)
    keys += text.length
    await page.keyboard.insertText(text)
  }
  await tap(page.getByRole('link', { name: 'Get 100 SOL to play' }))
  const form = authForm(page, 'Register')
  const username = `g${Date.now() % 100_000}`
  await type(form.getByLabel('Username'), username)
  await type(form.getByLabel('Email'), `${username}@a.example`)
  await type(form.getByLabel('Wallet Address (for giveaways)'), 'none')
  await type(form.getByLabel('Password', { exact: true }), 'moonlit')
  await type(form.getByLabel('Confirm Password'), 'moonlit')
  await tap(form.getByRole('button', { name: 'Create Account' }))
  await tap(page.getByRole('link', { name: /^Make your first trade: buy .+ for 1 SOL$/ }))
  await tap(page.getByRole('button', { name: /^Buy .+ moves the price/ }))
  await expectToast(page, 'Purchase Successful!', 'Bought ')
  await expect(balanceButton(page)).toHaveAttribute('title', '99 SOL')
  await page.goto('/')
  await expect(page.getByRole('list', { name: 'Tokens' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Continue' })).toHaveCount(0)
  expect(taps).toBeLessThanOrEqual(TAPS_MAX)
  expect(taps * TAP_S + keys * KEY_S).toBeLessThanOrEqual(SECONDS_MAX)
})
