import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { auditMarket } from '../../src/features/audit/audit-market.ts'
import { ageAccount } from '../support/moderators.ts'
import { createTestServer, type Visitor } from '../support/test-server.ts'
import { sayNew } from '../support/words.ts'

const server = await createTestServer()
const limited = await createTestServer({ env: { RATE_LIMIT: 'on' } })
const writer = await server.player('writer')
await ageAccount(server, writer)
const tokenId = await writer.launch()
afterAll(async () => {
  await server.close()
  await limited.close()
})

const countPosts = async ({ db } = server) =>
  (await sql<{ n: number }>`select count(*)::int as n from posts`.execute(db)).rows[0]?.n
const A_SENTENCE = /^[a-z].*[^.]\.$/i

describe('a post with deceptive characters', () => {
  const hidden: [string, string][] = [
    ...([0x200b, 0x200c, 0x200d, 0x2060, 0xad, 0x34f, 0x115f, 0x3164, 0x180e] as const).map(
      (code): [string, string] => [`U+${code.toString(16)}, which is not seen`, `see${String.fromCodePoint(code)}ing`],
    ),
    ...([0x202a, 0x202b, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x200e, 0x200f, 0x61c] as const).map(
      (code): [string, string] => [`U+${code.toString(16)}, which turns text`, `safe ${String.fromCodePoint(code)}exe`],
    ),
    [
      'a message in tags',
      `moon${[...'evil'].map((c) => String.fromCodePoint(0xe0000 + (c.codePointAt(0) ?? 0))).join('')}`,
    ],
    ['a control character', 'a\u0007bell'],
    ['a null', 'a\u0000b'],
    ['ten thousand marks on one letter', `a${'\u0301'.repeat(10_000)}`],
    ['ten thousand letters with a mark each', 'a\u0301'.repeat(10_000)],
    ['marks that surround letters', `Z${'\u20dd\u0489\u0360\u0361'.repeat(3)}`],
    ['half a character', 'moon \udc00 moon'],
    ['a private character', 'a \ue000 b'],
  ]
  it.each(hidden)('is rejected with a sentence: %s', async (_what, text) => {
    const before = await countPosts()
    for (const body of [
      { tokenId, text },
      { tokenId, text: `${sayNew()} ${text}` },
    ]) {
      const answer = await writer.post('/api/talk', body)
      expect([answer.statusCode, answer.body]).toEqual([400, expect.stringMatching(A_SENTENCE)])
    }
    expect(await countPosts()).toBe(before)
  })

  it('is shown with a space in place of a byte order mark', async () => {
    const answer = await writer.post('/api/talk', { tokenId, text: 'moon\ufefflight' })
    expect([answer.statusCode, answer.json().text]).toEqual([201, 'moon light'])
  })
})

it('of two hundred different posts at once by a new account, few are accepted and none causes a failure', async () => {
  const player = await limited.player('flooder')
  const about = await player.launch()
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => player.post('/api/talk', { tokenId: about, text: sayNew() })),
  )
  const codes = answers.map(({ statusCode }) => statusCode)
  expect(codes.filter((code) => code === 201)).toHaveLength(10)
  expect(codes.filter((code) => code === 429)).toHaveLength(190)
  for (const { statusCode, body } of answers) if (statusCode !== 201) expect(body).toMatch(A_SENTENCE)
  expect(await countPosts(limited)).toBe(10)
})

it('concurrent reports of one post by thirty players are one case, each counted once', async () => {
  const { id } = (await writer.post('/api/talk', { tokenId, text: sayNew() })).json()
  const reporters = await Promise.all(Array.from({ length: 30 }, () => server.player()))
  const report = (player: Visitor) => player.post('/api/reports', { kind: 'post', id, reason: 'spam' })
  await Promise.all(reporters.flatMap((player) => [report(player), report(player)]))
  const cases = await server.db.selectFrom('cases').select(['id', 'reports']).where('target_id', '=', id).execute()
  expect(cases).toEqual([{ id: expect.any(Number), reports: 30 }])
})

it('after these tests, the books are exact', async () => {
  for (const { database } of [server, limited]) expect((await auditMarket(database.pool)).shown).toEqual([])
})
