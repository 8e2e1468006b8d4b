import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expectGoodLooks, windows } from '../../support/looks.ts'
import { type Player, registerPlayer } from '../../support/player.ts'
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

/** Expires the player's only key. */
async function expireKeys(server: Server, { username }: Player): Promise<void> {
  await server.change((db) =>
    db
      .updateTable('api_keys')
      .set({ expires_at: new Date(Date.now() - 3_600_000) })
      .where('user_id', 'in', db.selectFrom('users').select('id').where('username', '=', username))
      .execute(),
  )
}

/** Adds events of earlier hours. */
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

test('a key may be of one scope, end on a day and work from some networks only, and says so', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/400/)
  const page = await visit('/settings', { as: player })
  const panel = findPanel(page, 'API keys')
  const name = panel.getByLabel('Name of the key')
  const networks = panel.getByLabel('Only from these networks')
  await name.fill('Office bot')
  await panel.getByLabel('Read').uncheck()
  await expect(panel.getByRole('button', { name: 'Say what it may do' })).toBeDisabled()
  await panel.getByText('Limit it further').click()
  await expect(panel.getByLabel('SOL a day')).toHaveCount(0)
  await panel.getByLabel('Trade', { exact: false }).check()
  await panel.getByLabel('SOL a day').fill('2.5')
  const lastDay = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString().slice(0, 10)
  await panel.getByLabel('Last day').fill(lastDay)
  await networks.fill('10.0.0.0/33')
  await panel.getByRole('button', { name: 'Make Key' }).click()
  await expectToast(page, 'Key Refused', 'must be addresses or networks such as 203.0.113.0/24')
  await expect(networks).toHaveValue('10.0.0.0/33')
  await networks.fill('192.0.2.7  10.1.2.3/8, 2001:db8::/32')
  await panel.getByRole('button', { name: 'Make Key' }).click()
  const key = (await page.getByRole('region', { name: 'The new key Office bot' }).locator('code').textContent()) ?? ''
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(name).toHaveValue('')
  await expect(name).toBeFocused()

  const row = page.getByRole('list', { name: 'Your keys' }).getByRole('listitem')
  await expect(row).toContainText('Trade · made ')
  await expect(row).toContainText('Spends at most 2.50 SOL a day · 0.00 SOL today')
  await expect(row).toContainText('Only from 192.0.2.7/32, 10.0.0.0/8, 2001:db8::/32')
  await expect(row).toContainText(/ends \w+ \d+, \d{4}/)
  const headers = { authorization: `Bearer ${key}`, accept: 'text/plain' }
  const answer = await fetch(`${server.url}/api/dashboard`, { headers })
  expect(await answer.text()).toBe('This API key does not work from your network.')
  await expireKeys(server, player)
  await page.reload()
  await expect(row).toContainText('Expired')
})

test('what happened to the account is listed, with where it came from, and the operator’s warning is on every screen', async ({
  visit,
  server,
  player,
}) => {
  await addPasskeyEvents(server, player, 21)
  await signInWrongly(server, player)
  const warning = 'Please stop printing tickets.'
  await server.admin('warn', player.username, warning)
  const page = await visit('/settings', { as: player })
  await expect(findEvents(page)).toHaveCount(10)
  await expect(findEvents(page).nth(0)).toContainText('The operator warned you')
  await expect(findEvents(page).nth(0)).toContainText('The operator or the server')
  await expect(findEvents(page).nth(1)).toContainText('A sign-in with a wrong password')
  await expect(findEvents(page).nth(1)).toContainText('curl 8 · 127.0.0.1')
  await expect(findEvents(page).nth(2)).toContainText('The account was opened')
  const more = page.getByRole('button', { name: 'Show more' })
  await more.click()
  await expect(findEvents(page)).toHaveCount(20)
  await more.click()
  await expect(findEvents(page)).toHaveCount(24)
  await expect(more).toHaveCount(0)

  const line = page.getByRole('status').filter({ hasText: warning })
  await expect(line).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: 'Leaderboard' }).click()
  await expect(page).toHaveURL('/leaderboard')
  await expect(line).toBeVisible()
})

test('a player downloads what is stored, asks by keyboard to be deleted, sees a banner on every screen, and cancels', async ({
  visit,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Take me along', symbol: 'TAKE', initialBuyAmount: '1' })
  const page = await visit('/settings', { as: player })
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
  await expect(findEvents(page).first()).toContainText('Your data was asked for')

  await panel.getByRole('button', { name: 'Delete my account' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await expect(dialog.getByRole('button', { name: 'Stay' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel.getByRole('button', { name: 'Delete my account' })).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Stay' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Deletion Asked For', 'You have seven days')
  const banner = page.getByRole('region', { name: 'Account deletion' })
  await expect(banner).toContainText('Your account will be deleted on')
  await expect(panel.getByRole('button', { name: 'Keep my account' })).toBeFocused()

  await page.goto('/')
  await banner.getByRole('button', { name: 'Keep my account' }).focus()
  await page.keyboard.press('Enter')
  await expectToast(page, 'Account Kept', 'Nothing will be deleted.')
  await expect(banner).toHaveCount(0)
})

for (const [device, viewport] of Object.entries(windows)) {
  test(
    `keys, what happened and one’s data on a ${device}: fit, and are open to everybody`,
    { tag: '@looks' },
    async ({ visit, server }, testInfo) => {
      const player = await registerPlayer(server.url)
      await signInWrongly(server, player)
      const page = await visit('/settings', { as: player, viewport })
      const keys = findPanel(page, 'API keys')
      await keys.getByLabel('Name of the key').fill('W'.repeat(40))
      await keys.getByText('Limit it further').click()
      await keys.getByLabel('Only from these networks').fill('2001:db8:1111:2222:3333:4444:5555:6666, 203.0.113.0/24')
      await keys.getByRole('button', { name: 'Make Key' }).click()
      await page.getByRole('button', { name: 'Done' }).click()
      await expireKeys(server, player)
      await page.reload()
      await keys.getByText('Limit it further').click()
      await expect(keys).toContainText('Expired')
      await expect(findEvents(page).first()).toBeVisible()
      await expectGoodLooks(page)
      await page.screenshot({ path: testInfo.outputPath('settings.png'), fullPage: true })
      await findPanel(page, 'Your data').getByRole('button', { name: 'Delete my account' }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
      await expect(dialog).toBeVisible()
      await expectGoodLooks(page)
      await page.screenshot({ path: testInfo.outputPath('dialog.png') })
      await dialog.getByRole('checkbox', { name: 'Let my posts stay' }).check()
      const asked = page.waitForRequest((request) => request.postData()?.includes('"keepPosts":true') === true)
      await dialog.getByRole('button', { name: 'Delete in seven days' }).click()
      await asked
      await expect(page.getByRole('region', { name: 'Account deletion' })).toBeVisible()
      await expectGoodLooks(page)
      await page.goto('/')
      await expect(page.getByRole('region', { name: 'Account deletion' })).toBeVisible()
      await expectGoodLooks(page)
      await page.screenshot({ path: testInfo.outputPath('banner.png') })
    },
  )
}
