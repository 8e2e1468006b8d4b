import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { Player } from '../../support/player.ts'
import { expectToast } from '../../support/screen.ts'
import type { Server } from '../../support/server.ts'
import { expect, test } from '../../support/test.ts'

const findPanel = (page: Page, name: string) => page.getByRole('region', { name })
const findEvents = (page: Page) => page.getByRole('list', { name: 'Account activity' }).getByRole('listitem')

async function signInWrongly(server: Server, { email }: Player): Promise<void> {
  const body = JSON.stringify({ email, password: 'not mine at all' })
  const headers = { 'content-type': 'application/json', 'user-agent': 'curl/8.5.0' }
  const answer = await fetch(`${server.url}/api/auth/login`, { method: 'POST', headers, body })
  expect(answer.status).toBe(401)
}

/** Adds account events from earlier hours. */
async function addPasskeyEvents(server: Server, { username }: Player, count: number): Promise<void> {
  await server.change(async (db) => {
    const { id } = await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirstOrThrow()
    const rows = Array.from({ length: count }, (_, hour) => ({
      user_id: id,
      kind: 'passkey_added',
      at: new Date(Date.now() - (hour + 1) * 3_600_000),
      detail: JSON.stringify({ name: `Key ${hour}` }),
    }))
    await db.insertInto('account_events').values(rows).execute()
  })
}

test('a player sees the account’s history, downloads its data and deletes it @nightly', async ({
  visit,
  server,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Take me along', symbol: 'TAKE', initialBuyAmount: '1' })
  await addPasskeyEvents(server, player, 21)
  await signInWrongly(server, player)
  const warning = 'Please stop printing tickets.'
  await server.admin('warn', player.username, warning)
  const page = await visit('/settings?section=security', { as: player })
  await expect(findEvents(page)).toHaveCount(10)
  await expect(findEvents(page).nth(0)).toContainText('The operator warned you')
  await expect(findEvents(page).nth(0)).toContainText('The operator or the server')
  await expect(findEvents(page).nth(1)).toContainText('Login attempt with a wrong password')
  await expect(findEvents(page).nth(1)).toContainText('curl 8 · 127.0.0.1')
  await expect(findEvents(page).nth(2)).toContainText('Account created')
  const more = page.getByRole('button', { name: 'Show more' })
  await more.click()
  await expect(findEvents(page)).toHaveCount(20)
  await more.click()
  await expect(findEvents(page)).toHaveCount(24)
  await expect(more).toHaveCount(0)

  const line = page.locator('[aria-live=polite] p').filter({ hasText: warning })
  await expect(line).toBeVisible()

  const openSection = (name: string) =>
    page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name }).click()
  await openSection('Account')
  const panel = findPanel(page, 'Your data')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Download my data' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('papermoon-account.json')
  const data = JSON.parse(readFileSync(await download.path(), 'utf8'))
  expect(data).toMatchObject({
    profile: { username: player.username, email: player.email },
    launches: [{ id: tokenId, name: 'Take me along' }],
    trades: [{ tokenId, side: 'buy' }],
  })
  await openSection('Security')
  await expect(findEvents(page).first()).toContainText('Copy of your data requested')
  await openSection('Account')

  await panel.getByRole('button', { name: 'Delete my account' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await expect(dialog.getByRole('button', { name: 'Keep my account' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel.getByRole('button', { name: 'Delete my account' })).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Keep my account' })).toBeFocused()
  await dialog.getByRole('checkbox', { name: 'Keep my posts' }).check()
  const asked = page.waitForRequest((request) => request.postData()?.includes('"keepPosts":true') === true)
  await dialog.getByRole('button', { name: 'Delete in seven days' }).press('Enter')
  await asked
  await expectToast(page, 'Account deletion requested', 'You have seven days')
  const banner = page.getByRole('region', { name: 'Account deletion' })
  await expect(banner).toContainText('Your account will be deleted on')
  await expect(panel.getByRole('button', { name: 'Keep my account' })).toBeFocused()

  await page.goto('/')
  await expect(line).toBeVisible()
  await banner.getByRole('button', { name: 'Keep my account' }).focus()
  await page.keyboard.press('Enter')
  await expectToast(page, 'Account deletion cancelled', 'Your account will not be deleted.')
  await expect(banner).toHaveCount(0)
})
