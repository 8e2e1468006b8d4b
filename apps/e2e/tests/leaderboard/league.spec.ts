import { type Player, registerPlayer } from '../../support/player.ts'
import type { Server } from '../../support/server.ts'
import { expect, test } from '../../support/test.ts'

const DAY_MS = 86_400_000
/** The first Monday since 1970. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** Puts players into one group of division 3. Each player has completed one more quest than the next player. */
async function makeGroup(server: Server, players: readonly Player[]): Promise<void> {
  const nowMs = Date.now()
  const weekMs = Math.floor((nowMs - FIRST_MONDAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS + FIRST_MONDAY_MS
  const week = new Date(weekMs).toISOString().slice(0, 10)
  await server.change(async (db) => {
    for (const [index, { username }] of players.entries()) {
      const { id } = await db
        .selectFrom('users')
        .select('id')
        .where('username', '=', username)
        .executeTakeFirstOrThrow()
      await db.insertInto('league_members').values({ week, division: 3, group_number: 1, user_id: id }).execute()
      for (let n = index; n < players.length - 1; n++) {
        const quest = { day: week, user_id: id, quest: `quest ${n}`, at: new Date(nowMs - 60_000) }
        await db.insertInto('quests_done').values(quest).execute()
      }
    }
  })
}

test('a player sees the league’s group and the quests @nightly', async ({ visit, ownServer }) => {
  const players: Player[] = []
  for (let n = 0; n < 12; n++) players.push(await registerPlayer(ownServer.url))
  await makeGroup(ownServer, players)
  const page = await visit(`${ownServer.url}/leaderboard`, { as: players[1] })
  const league = page.getByRole('region', { name: 'League, division 3' })
  await expect(league.getByRole('list', { name: 'Quests of the day' }).getByRole('listitem')).toHaveCount(3)
  const rows = league.getByRole('list').last().getByRole('listitem')
  await expect(rows).toHaveCount(14)
  await expect(rows.nth(0)).toContainText('55')
  await expect(rows.nth(5)).toHaveText('▲ The best 5 rise to division 2')
  await expect(rows.nth(8)).toHaveText('▼ The last 5 fall to division 4')
  await page.goto(ownServer.url)
  const tonight = page.getByRole('region', { name: 'Tonight' })
  await expect(tonight.getByRole('link', { name: 'League, division 3' })).toContainText('2nd of 12')
  await expect(tonight.getByRole('link', { name: 'Play today’s tape' })).toBeVisible()
  await tonight.getByRole('link', { name: /^Quests of the day: 0 of 3. Next: / }).click()
  await expect(league).toBeInViewport({ ratio: 0.5 })
})
