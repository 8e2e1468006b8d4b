import { expect, type Locator, type Page } from '@playwright/test'
import { addAuthenticator } from '../support/authenticator.ts'
import { AuthenticatorApp, enableApp } from '../support/authenticator-app.ts'
import { fetchId } from '../support/holdings.ts'
import { forgetProof } from '../support/player.ts'
import { authForm, expectToast } from '../support/screen.ts'
import { LONG_NAME } from './made-market.ts'
import type { Scene, Screen, Setting } from './scene.ts'

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const seeName = async ({ page }: Scene) =>
  await expect(page.getByRole('link', { name: LONG_NAME }).first()).toBeVisible()

/** Screens that show accounts and what players own. */
export const ACCOUNT_SCREENS: readonly Screen[] = [
  { name: 'auth', path: '/auth', act: register },
  { name: 'forgot-password', path: '/forgot-password', act: resetPassword },
  { name: 'dashboard', path: '/dashboard', as: 'trader', hasTables: true, act: sellSome },
  { name: 'portfolio', path: '/portfolio', as: 'trader', hasTables: true, act: sellSome },
  { name: 'user', path: async ({ market }) => `/user/${await fetchId(market.trader)}`, hasTables: true, act: seeName },
  { name: 'settings', path: '/settings', as: 'trader', act: uploadPicture },
  { name: 'settings-keys', path: signInWrongly, as: 'new', act: expireKey },
  { name: 'settings-deletion', path: '/settings', as: 'new', act: deleteAccount },
  { name: 'settings-sessions', path: signInBySafari, as: 'new', act: changeAccount },
  { name: 'settings-passkeys', path: toLocalhost, as: 'new', act: addPasskey, expected: /status of 403/ },
  {
    name: 'settings-factor',
    path: '/settings?section=security',
    as: 'new',
    act: setUpFactor,
    expected: /status of 401/,
  },
]

async function register({ page, look }: Scene): Promise<void> {
  await look('login')
  await page.getByRole('tab', { name: 'Register' }).click()
}

async function resetPassword({ page, look, market }: Scene): Promise<void> {
  await look('start')
  await page.getByLabel('Email').fill(market.newcomer.email)
  await page.getByRole('button', { name: 'Send Reset Code' }).click()
  await expect(page.getByText('Code expires in 15 minutes')).toBeVisible()
  await look('code')
  await page.getByRole('link', { name: 'Continue to Reset Password' }).click()
  await expect(page.getByPlaceholder('6-digit code')).toBeVisible()
}

async function sellSome({ page }: Scene): Promise<void> {
  await expect(region(page, 'Net worth').getByTitle(/ SOL$/).first()).toBeVisible()
  await page
    .getByRole('button', { name: /^Sell W/ })
    .first()
    .click()
  await page.getByRole('button', { name: '75%' }).click()
}

async function uploadPicture({ page, look, market }: Scene): Promise<void> {
  await expect(region(page, 'Your profile')).toContainText(market.trader.email)
  await expect(region(page, 'Your data')).toBeVisible()
  const tabs = page.getByRole('navigation', { name: 'Sections' })
  for (const [section, panel] of [
    ['Notifications', 'Notifications'],
    ['Display', 'Sound and motion'],
    ['Account', 'Your data'],
  ] as const) {
    await tabs.getByRole('link', { name: section }).click()
    await expect(region(page, panel)).toBeVisible()
    await look(section.toLowerCase())
  }
  await page.getByRole('button', { name: 'Upload Picture' }).click()
  await expect(page.getByRole('dialog', { name: 'Your picture' })).toBeVisible()
}

/** Logs in through the API. */
async function logIn(url: string, body: { email: string; password: string }, browser: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'user-agent': browser }
  await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function signInWrongly({ market: { server }, player: { email } }: Setting): Promise<string> {
  await logIn(server.url, { email, password: 'not mine at all' }, 'curl/8.5.0')
  return '/developers'
}

async function expireKey({ page, look, market: { server }, player }: Scene): Promise<void> {
  const keys = region(page, 'API keys')
  await keys.getByLabel('Key name').fill('W'.repeat(40))
  await keys.getByText('More limits').click()
  await keys.getByLabel('Allowed networks').fill('2001:db8:1111:2222:3333:4444:5555:6666, 203.0.113.0/24')
  await keys.getByRole('button', { name: 'Create key' }).click()
  await keys.getByRole('button', { name: 'Remove the key from the code' }).click()
  await server.change((db) =>
    db
      .updateTable('api_keys')
      .set({ expires_at: new Date(Date.now() - 3_600_000) })
      .where('user_id', 'in', db.selectFrom('users').select('id').where('username', '=', player.username))
      .execute(),
  )
  await page.reload()
  await keys.getByText('More limits').click()
  await expect(keys).toContainText('Expired')
  await look('keys')
  await page.goto(new URL('/settings?section=security', page.url()).href)
  await expect(page.getByRole('list', { name: 'Account activity' }).getByRole('listitem').first()).toBeVisible()
}

async function deleteAccount({ page, look }: Scene): Promise<void> {
  await region(page, 'Your data').getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await expect(dialog).toBeVisible()
  await look('question')
  await dialog.getByRole('button', { name: 'Delete in seven days' }).click()
  await expect(region(page, 'Account deletion')).toBeVisible()
  await look('asked')
  await page.goto(new URL('/', page.url()).href)
  await expect(region(page, 'Account deletion')).toBeVisible()
}

async function signInBySafari({ market: { server }, player }: Setting): Promise<string> {
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
  await logIn(server.url, { email: player.email, password: player.password }, safari)
  return '/settings#security'
}

async function changeAccount({ page, look }: Scene): Promise<void> {
  await expect(page.getByRole('list', { name: 'Your sessions' })).toContainText('Safari 18 on iOS')
  await expect(page).toHaveURL(/\/settings\?section=security#security$/)
  for (const matter of ['password', 'email', 'wallet']) {
    await page.getByRole('button', { name: `Change ${matter}` }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await look(matter)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.goto(new URL(`/verify-email#${'a'.repeat(43)}`, page.url()).href)
  await expect(page.getByRole('button', { name: 'Verify my email' })).toBeVisible()
}

/** Use localhost, because passkeys do not work at bare IP addresses. */
function toLocalhost({ market: { server } }: Setting): string {
  return `${server.url.replace('127.0.0.1', 'localhost')}/settings?section=security`
}

async function addPasskey({ page, look, open, market: { server }, player }: Scene): Promise<void> {
  await addAuthenticator(page)
  const panel: Locator = region(page, 'Passkeys')
  await panel.getByLabel('Passkey name').fill('W'.repeat(40))
  await page.keyboard.press('Enter')
  await expectToast(page, 'Passkey added', 'You can now log in with')
  await expect(panel.getByRole('listitem')).toHaveCount(1)
  await look('added')
  const guest = await open(new URL('/auth', page.url()).href)
  await expect(guest.getByRole('button', { name: 'Log in with a passkey' })).toBeVisible()
  await look('guest', guest)
  await enableApp(server, player)
  await forgetProof(server, player)
  await page.reload()
  await panel.getByRole('button', { name: /^Remove W/ }).click()
  await panel.getByRole('button', { name: /^Yes, remove/ }).click()
  await expect(page.getByLabel('Code from your authenticator app')).toBeVisible()
}

async function setUpFactor({ page, look, open, player }: Scene): Promise<void> {
  const panel = region(page, 'Authenticator app')
  await panel.getByRole('button', { name: 'Set up the app' }).click()
  await expect(panel.getByRole('img')).toBeVisible()
  await look('code')
  const app = new AuthenticatorApp((await panel.locator('code').textContent()) ?? '')
  await panel.getByLabel('Code from your authenticator app').fill(app.code())
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('region', { name: 'Your recovery codes' })).toBeVisible()
  await look('recovery')
  await panel.getByRole('button', { name: 'I have saved the codes' }).click()
  await expect(panel.getByRole('button', { name: 'Create new recovery codes' })).toBeVisible()
  const guest = await open('/auth')
  const form = authForm(guest, 'Login')
  await form.getByLabel('Email').fill(player.email)
  await form.getByLabel('Password', { exact: true }).fill(player.password)
  await guest.keyboard.press('Enter')
  await expect(form.getByLabel('Code from your authenticator app')).toBeVisible()
  await guest.keyboard.type(app.wrongCode())
  await guest.keyboard.press('Enter')
  await expect(form).toContainText('This code is wrong')
  await look('asked', guest)
  await form.getByRole('button', { name: 'Use a recovery code' }).click()
  await look('other', guest)
}
