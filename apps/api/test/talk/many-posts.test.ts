import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { readPosition } from '../../src/events/journal.ts'
import { BotTalk } from '../../src/house/bot-talk.ts'
import { ageAccount, moderator } from '../support/moderators.ts'
import { countMostRows, listStatements } from '../support/statements.ts'
import { shareTestServer } from '../support/test-server.ts'
import { sayNew } from '../support/words.ts'

const POSTS = 4_000
/** Max rows that a step of a query may read: some pages. No post was written in the last hour or day. */
const READ_MAX = 300

const server = await shareTestServer({ hasJobs: false })
const writer = await server.player('writer')
const writerId = await ageAccount(server, writer)
const mod = await moderator(server, 'mod-one')
const quiet = await writer.launch()
const busy = await writer.launch()
// The quiet token's posts are the older ones, and each writer has half of all posts.
for (const [topic, userId, days] of [[quiet, writerId, 60] as const, [busy, await ageAccount(server, mod), 40]]) {
  await sql`
    insert into posts (position, topic, user_id, text, seq, skeleton, created_at)
    select first + n - 1, ${topic}, ${userId}, 'Post number ' || n, 1, n,
           now() - ${days} * interval '1 day' + n * interval '1 minute'
      from next_position(${POSTS}) first, generate_series(1, ${POSTS}::int) n`.execute(server.db)
}
// Catch up now, so that no poll reads the posts during a test.
await server.app.live.feed.catchUp(await readPosition(server.db))
await sql`vacuum (analyze)`.execute(server.db)
await writer.put(`/api/follows/token/${quiet}`, {})
await mod.put(`/api/follows/player/${writerId}`, {})

const list = async (more = ''): Promise<{ id: number }[]> =>
  (await writer.get(`/api/talk?tokenId=${quiet}${more}`)).json()
const idAt = async (place: number) => (await list(`&limit=${place + 1}`)).at(place)?.id ?? 0

const CALLS: readonly (readonly [name: string, call: () => Promise<unknown>])[] = [
  ['the first page', () => list()],
  ['the next page', async () => await list(`&cursor=${await idAt(50)}`)],
  ['a post', () => writer.post('/api/talk', { tokenId: quiet, text: sayNew() })],
  ['the feed of a token’s follower', () => writer.get('/api/follows/feed')],
  ['the feed of a player’s follower', () => mod.get('/api/follows/feed')],
  ['a profile', () => mod.get(`/api/users/${writerId}/followers`)],
  [
    'a case',
    async () => {
      await writer.post('/api/reports', { kind: 'post', id: await idAt(20), reason: 'spam' })
      return await mod.query('admin.cases')
    },
  ],
  [
    'a bot’s post',
    async () => {
      const talk = new BotTalk(server.app, async () => {}, { launch: 1 } as never)
      await talk.tell({ userId: writerId as never, strategy: 'whale' }, { initialTrade: null, tokenId: quiet } as never)
    },
  ],
]

it.each(CALLS)('%s reads few posts, however many exist', async (_, call) => {
  const statements = await listStatements(/^\s*(with p|\(?select)[^;]*\bposts\b/s, call)
  expect(statements.length).toBeGreaterThan(0)
  for (const statement of statements) expect(await countMostRows(server.db, statement)).toBeLessThan(READ_MAX)
})
