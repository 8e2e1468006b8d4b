import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { ageAccount } from '../support/moderators.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'
import { sayNew } from '../support/words.ts'

const server = await shareTestServer({ hasJobs: true, env: { RATE_LIMIT: 'on' } })
const tokenId = await (await server.player('creator')).launch()

const write = (visitor: Visitor) => visitor.post('/api/talk', { tokenId, text: sayNew() })

it('takes fewer posts of an account on its first day than later, and says how long to wait', async () => {
  const [fresh, old] = [await server.player('fresh'), await server.player('old')]
  await ageAccount(server, old)
  const writeAll = async (visitor: Visitor) => {
    const codes: number[] = []
    for (let turn = 0; turn < 14; turn++) codes.push((await write(visitor)).statusCode)
    return codes.filter((code) => code === 201).length
  }
  expect([await writeAll(fresh), await writeAll(old)]).toEqual([10, 12])
  const refused = await write(fresh)
  expect([refused.statusCode, refused.body]).toEqual([
    429,
    expect.stringMatching(/^Too many requests\. Please try again/),
  ])
})

it('takes no thousand reports of one player', async () => {
  const player = await server.player('denouncer')
  const codes: number[] = []
  for (let turn = 0; turn < 45; turn++)
    codes.push((await player.post('/api/reports', { kind: 'token', id: tokenId, reason: 'spam' })).statusCode)
  expect(codes.filter((code) => code === 201)).toHaveLength(40)
  const { rows } = await sql<{ reports: number }>`select reports from cases where kind = 'token'`.execute(server.db)
  expect(rows).toEqual([{ reports: 1 }])
})

it('opens a page of a long talk, and of a short one that is older, by an index and from a few blocks', async () => {
  const fill = (topic: number, count: number) =>
    sql`
    insert into posts (topic, user_id, text, skeleton, position, created_at)
    select ${topic}::int, 1, 'Words ' || n, n, nextval('trades_id_seq'), now() from generate_series(1, ${count}::int) n`.execute(
      server.db,
    )
  const short = await (await server.player('second-creator')).launch()
  await fill(short, 40)
  await fill(tokenId, 20_000)
  await sql`analyze posts`.execute(server.db)
  for (const topic of [tokenId, short]) {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (analyze, timing off, summary off, costs off) select * from posts p
       where p.topic = ${topic} and p.parent_id is null and (p.state = 'shown' or p.replies > 0)
       order by id desc limit 31`.execute(server.db)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Limit (actual rows=31')
    expect(plan).not.toContain('Seq Scan')
    const removed = /Rows Removed by Filter: (\d+)/.exec(plan)?.[1] ?? '0'
    expect([topic, Number(removed) < 50]).toEqual([topic, true])
  }
})
