import type { Route } from '@playwright/test'
import { registerPlayer } from '../../support/player.ts'
import { balanceButton, expectToast, paste, tryAgain } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

test('settings open from the account’s menu, and say that no email address is known @nightly', async ({
  visit,
  player,
}) => {
  const hideEmail = async (route: Route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(JSON.stringify(player.email), 'null')
    await route.fulfill({ response, body })
  }
  const page = await visit('/docs', { as: player, prepare: (it) => it.route(/auth\.me/, hideEmail) })
  await balanceButton(page).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(page).toHaveURL('/settings')
  const profile = page.getByRole('region', { name: 'Your profile' })
  await expect(profile).toContainText(player.username)
  await expect(profile).toContainText('Not provided')
  // The page's host is a bare IP address.
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Security' }).click()
  await expect(page).toHaveURL('/settings?section=security')
  const passkeys = page.getByRole('region', { name: 'Passkeys' })
  await expect(passkeys).toContainText('Passkeys work only over HTTPS or on localhost')
  await expect(passkeys.getByRole('textbox')).toHaveCount(0)
})

test('colours, motion and sound are chosen, and stay @nightly', async ({ visit, player }) => {
  const page = await visit('/settings?section=display', {
    as: player,
    colorScheme: 'light',
    reducedMotion: 'no-preference',
  })
  await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Dark' }).click()
  await page.getByLabel('Blue and orange').check()
  const panel = page.getByRole('region', { name: 'Sound and motion' })
  await panel.getByLabel('Play a sound when a rug is pulled').check()
  await panel.getByLabel('Volume').fill('25')
  await panel.getByRole('button', { name: 'None' }).click()
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expect(page.getByLabel('Blue and orange')).toBeChecked()
  await expect(page.getByRole('link', { name: 'Papermoon, home' })).toHaveCSS('transition-duration', '0s')
  await expect(panel.getByLabel('Volume')).toHaveValue('25')
})

test('only a ruined player can reset the account, once a day @nightly', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 42[29]/)
  const creator = await registerPlayer(server.url)
  const tokenId = await creator.launch({ name: 'Trapdoor', symbol: 'TRAP' })
  const page = await visit('/settings', { as: player })
  const reset = page.getByRole('button', { name: 'Reset account' })
  await reset.click()
  await expectToast(page, 'Could not reset the account', 'Your net worth is 100 SOL.')
  await expect(page.getByRole('region', { name: 'Reset your account' })).toContainText('Your net worth is 100 SOL.')
  await expect(balanceButton(page)).toHaveAttribute('title', '100 SOL')

  await player.buy(tokenId, '95')
  await creator.rug(tokenId)
  await expect(balanceButton(page)).toHaveAttribute('title', '5 SOL')
  await reset.click()
  await expectToast(page, 'Account reset!', "You've received 95.00 SOL.")
  await expect(balanceButton(page)).toHaveAttribute('title', '100 SOL')
  await reset.click()
  await expectToast(page, 'Could not reset the account', 'You can reset your account once a day.')
})

test('an API key is created, shown once, limited and revoked @nightly', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/, /400/)
  const page = await visit('/developers', {
    as: player,
    permissions: ['clipboard-read', 'clipboard-write'],
    // This request is part of a batch with the other panels' requests.
    prepare: (it) => it.route('**/trpc/*keys.list*', (route) => route.abort()),
  })
  const panel = page.getByRole('region', { name: 'API keys' })
  await expect(page.getByRole('heading', { name: 'Could not load your keys' })).toBeVisible()
  await page.unrouteAll()
  await tryAgain(panel, panel.getByText('You have no API keys yet.'))
  await panel.getByLabel('Key name').fill('Moon bot')
  await panel.getByRole('button', { name: 'Create key' }).click()

  const fresh = page.getByRole('region', { name: 'New key: Moon bot' })
  await expect(fresh).toContainText('we show it only once')
  const key = (await fresh.locator('code').textContent()) ?? ''
  await fresh.getByRole('button', { name: 'Copy key' }).click()
  await expectToast(page, 'Copied!', 'API key copied to clipboard')
  expect(await paste(page)).toBe(key)

  const asBot = async () =>
    (await fetch(`${server.url}/api/dashboard`, { headers: { authorization: `Bearer ${key}` } })).status
  expect(await asBot()).toBe(200)

  await page.reload()
  const row = page.getByRole('list', { name: 'Your keys' }).getByRole('listitem')
  await expect(row).toContainText('Moon bot')
  await expect(row).toContainText(/Market \+ Trade · created .* · used /)
  await expect(page.getByText(key)).toHaveCount(0)

  await row.getByRole('button', { name: 'Revoke Moon bot' }).click()
  await row.getByRole('button', { name: 'Cancel' }).click()
  await expect(row.getByRole('button', { name: 'Revoke Moon bot' })).toBeFocused()
  await row.getByRole('button', { name: 'Revoke Moon bot' }).click()
  await row.getByRole('button', { name: 'Yes, revoke Moon bot' }).click()
  await expectToast(page, 'Key revoked', 'Moon bot no longer works.')
  await expect(panel).toContainText('You have no API keys yet.')
  expect(await asBot()).toBe(401)

  const name = panel.getByLabel('Key name')
  const networks = panel.getByLabel('Allowed networks')
  await name.fill('Office bot')
  await panel.getByLabel('Market').uncheck()
  await panel.getByLabel('Trade', { exact: false }).uncheck()
  await expect(panel.getByRole('button', { name: 'Choose a permission' })).toBeDisabled()
  await panel.getByText('More limits').click()
  await expect(panel.getByLabel('Spending limit (SOL a day)')).toHaveCount(0)
  await panel.getByLabel('Trade', { exact: false }).check()
  await panel.getByLabel('Spending limit (SOL a day)').fill('۲٫۵')
  await panel.getByLabel('Last valid day').fill(new Date(Date.now() + 30 * 24 * 3_600_000).toISOString().slice(0, 10))
  await networks.fill('10.0.0.0/33')
  await panel.getByRole('button', { name: 'Create key' }).click()
  await expectToast(page, 'Could not create the key', 'must be IP addresses or networks such as 203.0.113.0/24')
  await expect(networks).toHaveValue('10.0.0.0/33')
  await networks.fill('192.0.2.7  10.1.2.3/8, 2001:db8::/32')
  await panel.getByRole('button', { name: 'Create key' }).click()
  await panel.getByRole('button', { name: 'Remove the key from the code' }).click()
  await expect(name).toHaveValue('')
  await expect(name).toBeFocused()
  await expect(row).toContainText('Trade · created ')
  await expect(row).toContainText('This key can spend 2.50 SOL a day. Spent today: 0.00 SOL.')
  await expect(row).toContainText('This key works only from 192.0.2.7/32, 10.0.0.0/8, 2001:db8::/32')
  await expect(row).toContainText(/expires \w+ \d+, \d{4}/)
})
