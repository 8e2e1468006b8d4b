import { describeEffort, Person } from '../../support/person.ts'
import { registerPlayer } from '../../support/player.ts'
import { authForm, balanceButton, expectToast } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const TAPS_MAX = 9
/** Of the player's own; the page's seconds depend on the machine, and `npm run journeys` measures them. */
const SECONDS_MAX = 35
const phone = { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true }

test('a guest on a phone trades with 9 taps and 35 seconds of work after landing', async ({ visit, server }) => {
  const creator = await registerPlayer(server.url)
  await creator.launch({ name: 'First Stop', symbol: 'FIRST', initialBuyAmount: '10' })
  const page = await visit('/', phone)
  const guest = new Person(page)
  await guest.tap(page.getByRole('link', { name: 'Get 100 SOL to play' }))
  const form = authForm(page, 'Register')
  const username = `g${Date.now() % 100_000}`
  await guest.type(form.getByLabel('Username'), username)
  await guest.type(form.getByLabel('Email'), `${username}@a.example`)
  await guest.type(form.getByLabel('Wallet Address (for giveaways)'), 'none')
  await guest.type(form.getByLabel('Password', { exact: true }), 'moonlit')
  await guest.type(form.getByLabel('Confirm Password'), 'moonlit')
  await guest.tap(form.getByRole('button', { name: 'Create Account' }))
  await guest.tap(page.getByRole('link', { name: /^Make your first trade: 1 SOL of / }))
  await guest.tap(page.getByRole('button', { name: /^Buy .+ moves the price/ }))
  await expectToast(page, 'Purchase Successful!', 'Bought ')
  const effort = guest.measure()
  process.stdout.write(`guest on a phone, from landing to a filled order: ${describeEffort(effort)}\n`)
  await expect(balanceButton(page)).toHaveAttribute('title', '99 SOL')
  expect(effort.taps).toBeLessThanOrEqual(TAPS_MAX)
  expect(effort.totalS - effort.waitedS).toBeLessThanOrEqual(SECONDS_MAX)
})
