import { newAccount, registerPlayer } from '../../support/player.ts'
import { authForm, expectToast, fillRegistration, register } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

test('a guest’s buy leads to the registration, and is offered after it', async ({ visit, server }) => {
  const creator = await registerPlayer(server.url)
  const tokenId = await creator.launch({ name: 'Wizard', symbol: 'WIZ' })
  const page = await visit(`/token/${tokenId}`)
  await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('1.5')
  await page.getByRole('button', { name: 'Buy WIZ' }).click()
  await expectToast(page, 'Login Required', 'Please login or register to trade tokens')
  await expect(page).toHaveURL('/auth')
  await expect(authForm(page, 'Register').getByLabel('Username')).toBeFocused()

  // The form works with the keyboard alone, as on a phone. Enter focuses the next field, and in the last field it
  // submits.
  await expect(page.getByText('We saved your buy of 🪙 WIZ for 1.5 SOL. Log in or register to continue.')).toBeVisible()
  const { username, email, password } = newAccount()
  for (const text of [username, email, password, password]) {
    await page.keyboard.insertText(text)
    await page.keyboard.press('Enter')
  }
  await expectToast(page, 'Account created!', "You've received 100 SOL to start trading.")
  await expect(page).toHaveURL('/')
  await page.getByRole('link', { name: 'Continue: buy WIZ for 1.5 SOL' }).click()
  await expect(page).toHaveURL(`/token/${tokenId}`)
  await expect(page.getByRole('textbox', { name: 'Amount in SOL' })).toHaveValue('1.5')
  await page.getByRole('button', { name: 'Buy WIZ' }).click()
  await expectToast(page, 'Purchase Successful!', 'Bought ')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Amount in SOL' })).toHaveValue('')
  await page.getByRole('link', { name: 'Papermoon, home' }).click()
  await expect(page.getByRole('list', { name: 'Tokens' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Continue' })).toHaveCount(0)
})

test('a guest’s launch leads to the registration, and then continues with the same draft @nightly', async ({
  visit,
}) => {
  const page = await visit('/launch')
  await page.getByLabel('Description').fill('Kept while its author signs in')
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Launch/ })
    .click()
  await expectToast(page, 'Login Required', 'Please login or register to launch a token')
  await expect(page).toHaveURL('/auth')
  await page.goBack()
  await page.getByLabel('Coin Name').fill('Nobody’s Coin')
  await page.getByLabel('Ticker').fill('NOBODY')
  await page.getByRole('button', { name: 'Launch Token' }).click()
  await expectToast(page, 'Login Required', 'Please login or register to launch a token')
  await expect(authForm(page, 'Register').getByLabel('Username')).toBeFocused()
  await register(page, newAccount())
  await page.getByRole('link', { name: 'Continue: launch NOBODY' }).click()
  await expect(page.getByLabel('Coin Name')).toHaveValue('Nobody’s Coin')
  await page.reload()
  await expect(page.getByLabel('Coin Name')).toHaveValue('Nobody’s Coin')
  await expect(page.getByLabel('Description')).toHaveValue('Kept while its author signs in')
  await page.getByRole('link', { name: 'Papermoon, home' }).click()
  await expect(page.getByRole('list', { name: 'Tokens' }).or(page.getByText('No tokens found'))).toBeVisible()
  await expect(page.getByRole('region', { name: 'Continue' })).toHaveCount(0)
})

test('“Get 100 SOL to play” leads to a first trade @nightly', async ({ visit, player }) => {
  await player.launch({ name: 'Any Token', symbol: 'ANY', initialBuyAmount: '50' })
  const page = await visit('/')
  await page.getByRole('link', { name: 'Get 100 SOL to play' }).click()
  const form = authForm(page, 'Register')
  await expect(form.getByLabel('Username')).toBeFocused()
  await expect(form).toContainText('No wallet?')
  await fillRegistration(page, { ...newAccount(), wallet: 'Main Street 1' })
  await expect(form).toContainText('This is not a Solana address')
  await page.getByRole('button', { name: 'Create Account' }).click()
  const offer = page.getByRole('region', { name: 'Tonight' })
  await expect(offer.getByRole('link', { name: /^Make your first trade: buy .+ for 1 SOL$/ })).toHaveAttribute(
    'href',
    /^\/token\/\d+$/,
  )
  await expect(page.getByRole('region', { name: 'Continue' })).toHaveCount(0)
})

test('a saved order that cannot be placed any more is not offered @nightly', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404/)
  const creator = await registerPlayer(server.url)
  const rugged = await creator.launch({ name: 'Carpet', symbol: 'CARPET' })
  await creator.rug(rugged)
  await player.launch({ name: 'Other Way', symbol: 'WAY', initialBuyAmount: '1' })
  const page = await visit('/docs', { as: player })
  const buy = { kind: 'trade', side: 'buy', amount: '1' }
  for (const [intent, call] of [
    [{ ...buy, tokenId: rugged }, `{"id":${rugged}}`],
    [{ ...buy, tokenId: 2_000_000_000 }, '{"id":2000000000}'],
    [{ kind: 'first-trade' }, 'users.trades'],
  ] as const) {
    await page.evaluate(
      (kept) => sessionStorage.setItem('papermoon-intent', JSON.stringify({ ...kept, keptAtMs: Date.now() })),
      intent,
    )
    const asked = page.waitForResponse((response) => decodeURIComponent(response.url()).includes(call))
    await page.goto('/')
    await asked
    // The page deletes the intent after it has read the response.
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('papermoon-intent'))).toBeNull()
    await expect(page.getByRole('region', { name: 'Continue' })).toHaveCount(0)
  }
})
