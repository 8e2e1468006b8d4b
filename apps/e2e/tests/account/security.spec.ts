import { createHash, randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { forgetProof, newAccount, type Player, registerPlayer } from '../../support/player.ts'
import { expectToast, tryAgain } from '../../support/screen.ts'
import type { Server } from '../../support/server.ts'
import { expect, test } from '../../support/test.ts'

const HOUR_MS = 3_600_000
/** Logs in through the API. Returns the session cookie as a request header, or the status if the login was rejected. */
async function signIn(
  server: Server,
  email: string,
  password: string,
  browser = 'curl/8.14.1',
): Promise<string | number> {
  const answer = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': browser },
    body: JSON.stringify({ email, password }),
  })
  return answer.ok ? (answer.headers.getSetCookie()[0]?.split(';')[0] ?? '') : answer.status
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

async function fetchStatus(server: Server, cookie: string | number): Promise<number> {
  return (await fetch(`${server.url}/api/auth/user`, { headers: { cookie: String(cookie) } })).status
}

/** Returns the path of a verification link, as in the server's email. */
async function makeLink(server: Server, { username }: Player, email: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await server.change(async (db) => {
    const { id } = await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirstOrThrow()
    const link = {
      user_id: id,
      token_hash: createHash('sha256').update(secret).digest(),
      email,
      email_key: email.toLowerCase(),
      created_at: new Date(),
      expires_at: new Date(Date.now() + HOUR_MS),
    }
    await db.insertInto('email_links').values(link).execute()
  })
  return secret
}

test('sessions are listed and ended, and a key needs a proof @nightly', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/, /403/)
  const firefox = await signIn(server, player.email, player.password, FIREFOX)
  const safari = await signIn(server, player.email, player.password, SAFARI)
  const curl = await signIn(server, player.email, player.password)
  const loseSessions = (page: Page) => page.route('**/trpc/*security.sessions*', (route) => route.abort())
  const page = await visit('/settings?section=security', { as: player, prepare: loseSessions })
  const panel = page.getByRole('region', { name: 'Sessions' })
  await expect(panel.getByRole('heading', { name: 'Could not load your sessions' })).toBeVisible()
  await page.unrouteAll()
  await tryAgain(panel, panel.getByText('This session'))
  const rows = panel.getByRole('list', { name: 'Your sessions' }).getByRole('listitem')
  await expect(rows).toHaveCount(4)
  await expect(rows.first()).toContainText('This session')
  await expect(rows.first().getByRole('button')).toHaveCount(0)
  await expect(rows.filter({ hasText: 'Firefox 144 on Linux' })).toContainText(
    /127\.0\.0\.1 · logged in (just now|\d+ (second|minute)s? ago) · used (just now|\d+ (second|minute)s? ago)/,
  )

  await panel.getByRole('button', { name: 'End session: Firefox 144 on Linux' }).focus()
  await page.keyboard.press('Enter')
  await expectToast(page, 'Session ended', 'Firefox 144 on Linux is logged out.')
  await expect(rows).toHaveCount(3)
  await expect(panel.getByRole('heading', { name: 'Sessions' })).toBeFocused()
  expect([await fetchStatus(server, firefox), await fetchStatus(server, safari)]).toEqual([401, 200])

  await panel.getByRole('button', { name: 'End all other sessions' }).click()
  await expectToast(page, 'Sessions ended', '2 other sessions have ended.')
  await expect(rows).toHaveCount(1)
  await expect(panel.getByRole('button', { name: 'End all other sessions' })).toHaveCount(0)
  expect([await fetchStatus(server, safari), await fetchStatus(server, curl)]).toEqual([401, 401])

  await forgetProof(server, player)
  await page.goto('/developers')
  const keys = page.getByRole('region', { name: 'API keys' })
  await keys.getByLabel('Key name').fill('Moon bot')
  await keys.getByRole('button', { name: 'Create key' }).click()

  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  const password = dialog.getByLabel('Your password')
  await expect(password).toBeFocused()
  await password.fill('not mine')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('This password is wrong.')

  await page.keyboard.press('Escape')
  await expectToast(page, 'Could not create the key', 'Please confirm that it is you, then try again.')
  await expect(keys.getByRole('button', { name: 'Create key' })).toBeFocused()

  await page.keyboard.press('Enter')
  await password.fill(player.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'New key: Moon bot' })).toBeVisible()
  await expect(dialog).toHaveCount(0)
})

test('a player changes password, wallet and email address @nightly', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/40[39]/)
  const elsewhere = await signIn(server, player.email, player.password)
  // Password managers open this URL.
  const page = await visit('/.well-known/change-password', { as: player })
  const dialog = page.getByRole('dialog', { name: 'Change your password' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  const panel = page.getByRole('region', { name: 'Login details' })
  await panel.getByRole('button', { name: 'Change password' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Current Password')).toBeFocused()
  const typeIn = async (texts: readonly string[]) => {
    const fields = ['Current Password', 'New Password', 'Confirm Password']
    for (const [index, text] of texts.entries()) {
      await expect(dialog.getByLabel(fields[index] ?? '')).toBeFocused()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(text)
      // Press Tab once more to skip the button that reveals the password.
      if (index < texts.length - 1) await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
  }
  await typeIn([player.password, 'five5', 'five5'])
  await expect(dialog).toContainText('Password must be at least 6 characters')
  await dialog.getByLabel('Current Password').focus()
  await typeIn(['not mine', 'under a paper moon', 'under a paper noon'])
  await expect(dialog).toContainText('Please make sure your passwords match')
  await dialog.getByLabel('Current Password').focus()
  await typeIn(['not mine', 'under a paper moon', 'under a paper moon'])
  await expect(dialog).toContainText('This password is wrong.')
  await dialog.getByLabel('Current Password').focus()
  await typeIn([player.password, 'under a paper moon', 'under a paper moon'])

  await expectToast(page, 'Password changed', 'Ended: 1 other session.')
  await expect(dialog).toHaveCount(0)
  await expect(panel.getByRole('button', { name: 'Change password' })).toBeFocused()
  expect(await fetchStatus(server, elsewhere)).toBe(401)
  expect(await signIn(server, player.email, player.password)).toBe(401)
  await page.goto('/settings?section=security')
  await expect(page.getByRole('region', { name: 'Your profile' })).toContainText(player.username)

  const taken = await registerPlayer(server.url)
  const { email } = newAccount()
  await panel.getByRole('button', { name: 'Change wallet' }).click()
  const wallet = page.getByRole('dialog', { name: 'Change your wallet' })
  await wallet.getByLabel('New Wallet Address').fill('my piggy bank')
  await expect(wallet).toContainText('This does not look like a Solana address.')
  await wallet.getByLabel('Current Password').fill('not mine')
  await wallet.getByRole('button', { name: 'Change wallet' }).click()
  await expect(wallet).toContainText('This password is wrong.')
  await wallet.getByLabel('Current Password').fill('under a paper moon')
  await wallet.getByRole('button', { name: 'Change wallet' }).click()
  await expectToast(page, 'Wallet changed', 'Rewards will go to the new wallet.')
  await expect(panel).toContainText('my piggy bank')

  await page.getByRole('button', { name: 'Change email' }).click()
  const mail = page.getByRole('dialog', { name: 'Change your email' })
  await expect(mail.getByLabel('New Email')).toBeFocused()
  await mail.getByLabel('New Email').fill(taken.email)
  await mail.getByLabel('Current Password').fill('under a paper moon')
  await page.keyboard.press('Enter')
  await expect(mail).toContainText('This email address is already registered.')
  await mail.getByLabel('New Email').fill(email)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Email changed', `Your email address is now ${email}.`)
  await expect(page.getByRole('region', { name: 'Your profile' })).toContainText(email)
  expect(await signIn(server, player.email, 'under a paper moon')).toBe(401)
  expect(await signIn(server, email, 'under a paper moon')).toEqual(expect.stringContaining('papermoon_session='))
})

test('a link verifies an address when its button is pressed @nightly', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/400/)
  const { email } = newAccount()
  const secret = await makeLink(server, player, email)
  await visit(`/verify-email#${secret}`)
  const page = await visit(`/verify-email#${secret}`)
  await expect(page.getByRole('heading', { name: 'Verify your email' })).toBeVisible()
  await expect(page).toHaveURL('/verify-email')
  await page.getByRole('button', { name: 'Verify my email' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Email verified!' })).toBeVisible()
  await expect(
    page.getByRole('main').locator('[tabindex="-1"]', { hasText: 'Your account now has this email address' }),
  ).toBeFocused()
  expect(await signIn(server, email, player.password)).toEqual(expect.stringContaining('papermoon_session='))

  const again = await visit(`/verify-email#${secret}`)
  await again.getByRole('button', { name: 'Verify my email' }).click()
  await expect(again.getByRole('alert')).toContainText('This link no longer works.')
  await again.goto('/verify-email')
  await expect(again.getByRole('heading', { name: 'This link is incomplete' })).toBeVisible()
})
