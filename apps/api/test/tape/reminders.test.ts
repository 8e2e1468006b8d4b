import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { findUnreadNotice } from '../../src/features/notices/read-notices.ts'
import { toDay } from '../../src/features/tape/keep-tapes.ts'
import { startMailServer } from '../support/mail-server.ts'
import { createTestServer, type Visitor } from '../support/test-server.ts'

const DAY_MS = 24 * 3_600_000

const mails = await startMailServer()
const server = await createTestServer({ env: { SMTP_URL: mails.url, PUBLIC_URL: 'https://moon.example' } })
afterAll(() => mails.close())
server.passToNoon()
const now = () => server.app.platform.clock.now()

const choose = async (player: Visitor, reminderHour: number | null) =>
  (await player.put('/api/notices/settings', { muted: [], reminderHour })).json()
const playTape = async (player: Visitor, daysAgo: number) =>
  await sql`
    insert into tape_plays (id, day, user_id, started_at, gain, strip)
    values (gen_random_uuid(), ${toDay(now(), -daysAgo)}, ${await player.id()}, now(), 0, '')`.execute(server.db)
const findReminders = async (player: Visitor) => {
  const { rows } = await sql<{ id: number }>`
    select id from notices where user_id = ${await player.id()} and kind = 'reminder' order by id`.execute(server.db)
  return await Promise.all(rows.map(async ({ id }) => (await findUnreadNotice(server.db, id))?.reminder))
}
const passToDay = (isoDay: number) => server.passTime(((isoDay - now().getUTCDay() + 7) % 7) * DAY_MS)

it('reminds players once a day, at the chosen hour, of a daily game not played and its streak', async () => {
  passToDay(3)
  const [due, played, later, silent] = await Promise.all([0, 1, 2, 3].map(() => server.player()))
  if (!due || !played || !later || !silent) throw new Error('four players')
  expect(await choose(due, 12)).toMatchObject({ reminderHour: 12 })
  await choose(played, 12)
  await choose(later, 13)
  for (const day of [1, 2, 3]) await playTape(due, day)
  await playTape(played, 0)
  for (let run = 0; run < 2; run++) await server.tick('due')
  expect(await findReminders(due)).toEqual([{ isTapeOpen: true, streak: 3, leagueEnds: false }])
  for (const other of [played, later, silent]) expect(await findReminders(other)).toEqual([])
  // The list of notices omits reminders, because older clients do not know the kind. Only devices get them.
  expect((await due.get('/api/notices')).json()).toEqual({ notices: [], unread: 0, news: [], unreadNews: 0 })

  server.passTime(DAY_MS)
  await choose(due, null)
  await server.tick('due')
  expect(await findReminders(due)).toHaveLength(1)
  expect(await findReminders(played)).toEqual([{ isTapeOpen: true, streak: 1, leagueEnds: false }])
})

it('reminds members of a league on its last day, even if they have played', async () => {
  passToDay(0)
  const [member, other] = await Promise.all([server.player(), server.player()])
  for (const player of [member, other]) {
    await choose(player, 12)
    await playTape(player, 0)
  }
  await sql`insert into league_members (week, division, group_number, user_id)
    values (${toDay(now(), -6)}, 5, 1, ${await member.id()})`.execute(server.db)
  await server.tick('due')
  expect(await findReminders(member)).toEqual([{ isTapeOpen: false, streak: 1, leagueEnds: true }])
  expect(await findReminders(other)).toEqual([])
})

it('also sends the reminder by email, once a day, to a verified address whose player wants it', async () => {
  passToDay(3)
  const players = await Promise.all([0, 1, 2].map(() => server.player()))
  const emails = await Promise.all(players.map(async (player) => (await player.get('/api/account/email')).json().email))
  // Each player's first mail is the link that verifies the address.
  for (const email of emails) await mails.next(email)
  const [wanted, unverified, unwanted] = emails
  await sql`update users set email_verified_at = now() where email <> ${unverified}`.execute(server.db)
  for (const [index, player] of players.entries()) {
    const chosen = { muted: [], reminderHour: 12, reminderByMail: emails[index] !== unwanted }
    expect((await player.put('/api/notices/settings', chosen)).json()).toMatchObject(chosen)
  }
  await server.tick('due')
  const { to, source } = await mails.next(wanted)
  expect(to).toEqual([wanted])
  const text = source.replaceAll('=\r\n', '')
  for (const path of ['tape', 'settings#notifications']) expect(text).toContain(`\r\nhttps://moon.example/${path}\r\n`)
  await server.tick('due')
  await server.app.platform.mailer?.close()
  expect(emails.map((email) => mails.countWaiting(email))).toEqual([0, 0, 0])
  for (const player of players) expect(await findReminders(player)).toHaveLength(1)
})

it('rejects an hour that does not exist', async () => {
  const player = await server.player()
  for (const hour of [-1, 24, 1.5, '12']) {
    expect((await player.put('/api/notices/settings', { muted: [], reminderHour: hour })).statusCode).toBe(400)
  }
})
