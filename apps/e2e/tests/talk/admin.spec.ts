import type { Page } from '@playwright/test'
import { expectGoodLooks, windows } from '../../support/looks.ts'
import { type Player, registerPlayer } from '../../support/player.ts'
import type { Server } from '../../support/server.ts'
import { expect, test, type Visit } from '../../support/test.ts'

/** Time between two reads of the cases, in ms. */
const LOOK_EVERY_MS = 30_000

/** Creates a player with a role. The player has just confirmed the session with a second factor. */
async function makeRole(server: Server, { username }: Player, role: 'moderator' | 'operator'): Promise<void> {
  await server.change(async (db) => {
    const { id } = await db
      .updateTable('users')
      .set({ role })
      .where('username', '=', username)
      .returning('id')
      .executeTakeFirstOrThrow()
    const now = new Date()
    const factor = { user_id: id, sealed: Buffer.alloc(0), created_at: now, enabled_at: now }
    await db
      .insertInto('totp_secrets')
      .values(factor as never)
      .execute()
    await db.updateTable('sessions').set({ factor_at: now }).where('user_id', '=', id).execute()
  })
}

for (const [device, viewport] of Object.entries(windows)) {
  test(`an operator mutes a player and hides a token by keyboard alone, on a ${device}`, {
    tag: device === 'phone' ? '@looks' : '@nightly',
  }, async ({ visit, server, player, expectedErrors }) => {
    // The server responds with 404 to a plain request for the page's URL.
    expectedErrors.push(/404/)
    await makeRole(server, player, 'operator')
    const other = await registerPlayer(server.url)
    await other.launch({ name: `Dubious Tent ${device}`, symbol: 'DUB' })
    await other.call('/api/fairs', { kind: 'room', name: `Dubious Room ${device}` })
    const page = await visit('/admin', { as: player, viewport })
    const look = async () => {
      if (device === 'phone') await expectGoodLooks(page)
    }
    const press = async (name: string | RegExp) => {
      await page.getByRole('button', { name, exact: typeof name === 'string' }).focus()
      await page.keyboard.press('Enter')
    }
    const search = async (what: string, text: string) => {
      await press(what)
      await page.getByRole('textbox', { name: `Search ${what.toLowerCase()} by name or ID` }).focus()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await press(new RegExp(text))
    }
    const give = async (reason: string) => {
      await page.getByRole('combobox', { name: /^Reason/ }).focus()
      await page.keyboard.type(reason)
    }
    await search('Players', other.username)
    await give('Insults')
    await press('Mute 1 h')
    await expect(page.getByRole('list', { name: 'Actions on this player' })).toContainText('mute, “Insults”')
    await expect(page.getByRole('button', { name: new RegExp(other.username) })).toContainText('muted until')
    await look()
    await search('Tokens', `Dubious Tent ${device}`)
    await give('Scam')
    await press('Hide token')
    await expect(page.getByRole('button', { name: /Dubious Tent/ })).toContainText('hidden')
    await look()
    await press('Health')
    await expect(page.getByRole('list', { name: 'Health' })).toContainText(
      'The database responds and has free disk space.',
    )
    await look()
    await press('Fairs')
    await expect(page.getByRole('list', { name: 'Fairs' })).toContainText(`Dubious Room ${device}`)
    await press('Settings')
    await expect(page.getByRole('list', { name: 'Current settings' })).toContainText('DATABASE_URL')
    await look()
    await press(/^Posts of one account per minute/)
    await page.getByRole('spinbutton', { name: 'Posts of one account per minute' }).fill('11')
    await give('A flood')
    await press('Change')
    await expect(page.getByRole('list', { name: 'Limits' })).toContainText('per minute: 11 default 12')
    await look()
    await press('Words')
    await page.getByRole('textbox', { name: 'Word that holds posts for review' }).focus()
    await page.keyboard.type(`moonshine ${device}`)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('list', { name: 'Words' })).toContainText(`moonshine ${device}`)
    await press('Log')
    await expect(page.getByText('The log is complete and unchanged.')).toBeVisible()
  })
}

/** Opens a case for each of these names, with the given number of reports for one reason. */
async function reportNames(server: Server, names: readonly string[], reason: 'spam' | 'abuse'): Promise<void> {
  for (const name of names) {
    const accused = await registerPlayer(server.url, name)
    await server.change(async (db) => {
      const { id } = await db
        .selectFrom('users')
        .select('id')
        .where('username', '=', accused.username)
        .executeTakeFirstOrThrow()
      const row = {
        kind: 'name',
        target_id: id,
        accused_user_id: id,
        fair_id: null,
        words: name,
        held_for: null,
      } as const
      const { id: caseId } = await db
        .insertInto('cases')
        .values({ ...row, reports: 1, opened_at: new Date(), decided_at: null, outcome: null })
        .returning('id')
        .executeTakeFirstOrThrow()
      const by = { case_id: caseId, user_id: id, reason, note: null, created_at: new Date() }
      await db.insertInto('reports').values(by).execute()
    })
  }
}

test('a case stays on screen when other cases are reordered @nightly', async ({ visit, ownServer, expectedErrors }) => {
  expectedErrors.push(/404/)
  const judge = await registerPlayer(ownServer.url)
  await makeRole(ownServer, judge, 'moderator')
  await reportNames(ownServer, ['first-of-all', 'second-of-all', 'third-of-all'], 'abuse')
  const long = 'first-of-all '.repeat(200)
  await ownServer.change((db) =>
    db.updateTable('cases').set({ words: long }).where('words', '=', 'first-of-all').execute(),
  )
  const prepare = (it: Page) => it.clock.install()
  const page = await visit(new URL('/admin', ownServer.url).href, { as: judge, viewport: windows.desktop, prepare })
  const shown = page.getByRole('article')
  await expect(shown).toContainText('first-of-all')
  await expect(page.getByRole('button', { name: /^Suspend/ })).toBeInViewport({ ratio: 1 })
  await ownServer.change((db) =>
    db.updateTable('cases').set({ reports: 9 }).where('words', '=', 'third-of-all').execute(),
  )
  await page.clock.fastForward(LOOK_EVERY_MS)
  await expect(shown).toContainText('2 of 3')
  await expect(shown).toContainText('first-of-all')
  await page.keyboard.press('w')
  await expect(shown).toContainText('second-of-all')
  await page.keyboard.press('e')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Somebody else’s name')
  await page.keyboard.press('Enter')
  await page.keyboard.press('w')
  await expect(shown).toContainText('third-of-all')
  await page.keyboard.press('x')
  await expect(page.getByText('No open cases.')).toBeVisible()
  // After an undo, the case is open again, and the moderator can decide differently.
  await page.keyboard.press('u')
  await expect(shown).toContainText('third-of-all')
  await page.keyboard.press('x')
  await expect(page.getByText('No open cases.')).toBeVisible()
  const NOTHING = 'No rule was broken'
  const reasons: (string | null)[] = []
  await ownServer.change(async (db) => {
    const rows = await db.selectFrom('moderation_words').select('reason').orderBy('log_id').execute()
    reasons.push(...rows.map(({ reason }) => reason))
  })
  expect(reasons).toEqual(['Insults', 'Somebody else’s name', NOTHING, 'This was a mistake', NOTHING])
})

test('an announcement is on every page at once, until it is dismissed', { tag: '@looks' }, async ({
  visit,
  ownServer,
  expectedErrors,
}) => {
  expectedErrors.push(/404/)
  const boss = await registerPlayer(ownServer.url)
  await makeRole(ownServer, boss, 'operator')
  const open = (path: string, how: Visit) => visit(new URL(path, ownServer.url).href, how)
  const guest = await open('/', { viewport: windows.phone })
  await expect(guest.getByText('Live', { exact: true })).toBeAttached()
  const page = await open('/admin', { as: boss, viewport: windows.desktop })
  await page.getByRole('button', { name: 'Announcement', exact: true }).click()
  const text =
    'The fair rests from nine to ten tonight while we lay new planks. Waiting orders go on waiting; nothing is lost.'
  await page.getByRole('textbox', { name: /^Announcement for every page/ }).fill(text)
  await page.getByRole('button', { name: 'Publish announcement' }).click()
  for (const shown of [guest, page]) await expect(shown.locator('[aria-live=polite]').getByText(text)).toBeVisible()
  await expectGoodLooks(guest)
  await expectGoodLooks(page)
  const dismiss = guest.getByRole('button', { name: 'Dismiss the announcement' })
  await dismiss.focus()
  await guest.keyboard.press('Enter')
  await expect(dismiss).toBeHidden()
  await guest.reload()
  await expect(guest.getByText('Live', { exact: true })).toBeAttached()
  await expect(dismiss).toBeHidden()
  const late = await open('/leaderboard', {})
  await expect(late.locator('[aria-live=polite]').getByText(text)).toBeVisible()
  await page.getByRole('button', { name: 'Remove the announcement' }).click()
  await expect(late.getByRole('region', { name: 'Site news' })).toBeHidden()
})
