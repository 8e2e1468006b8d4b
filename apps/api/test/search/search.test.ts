import { createTestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPlayersByName, findTokensByName } from '../../src/features/search/search-everything.ts'
import { createTestServer, type TestServer, type Visitor } from '../support/test-server.ts'

/** More tokens than a search scans before it uses the indexes. */
const TOKENS = 3_000
const PLAYERS = 600
const LIMIT = 8

const WORDS = [
  'Moon',
  'moonlight',
  '100%',
  'a_b',
  'back\\slash',
  'ЛУНА',
  '月のうさぎ',
  'Straße',
  "o'clock",
  '🌙',
  '$$',
  'Wiz',
]

const database = await createTestDatabase()
const { db } = database
await sql`insert into users (username, username_key, email, email_key, wallet, password_hash, deleted_at)
  select case when n % 4 = 0 then 'the ' else '' end || (${WORDS}::text[])[1 + n % ${WORDS.length}::int] || n,
         n, n, n, 'w', 'none', case when n % 50 = 0 then now() end
    from generate_series(1, ${PLAYERS}::int) n`.execute(db)
// Rare words are in the cheapest tokens only, out of reach of the scan.
await sql`insert into tokens (creator_id, name, symbol, emoji, supply, launch_price, launch_fee, created_at, hidden_at)
  select 1, case when n % 3 = 0 then 'Common ' else 'Plain ' end || n ||
         case when n <= 240 then ' ' || (${WORDS}::text[])[1 + n % ${WORDS.length}::int] else '' end,
         case when n % 97 = 0 then 'WIZ' when n % 89 = 0 then 'MOON' when n = 5 then 'COMMON' else 'S' || n % 700 end,
         '🌙', 1000000000, 0.00000003, 0.02, now(), case when n % 50 = 0 then now() end
    from generate_series(1, ${TOKENS}::int) n`.execute(db)
await sql`insert into pools (token_id, sol_reserve, virtual_sol, token_reserve, price, last_event_at, chain_head, rugged_at)
  select id, 30, 30, 1000, case when id % 7 = 0 then 0 else (id / 3) * 0.00000001 end, created_at, sha256(''),
         case when id % 7 = 0 then now() end from tokens`.execute(db)
await sql`analyze`.execute(db)
afterAll(() => database.drop())

const QUERIES = [
  ...[
    'm',
    'M',
    'mo',
    'moon',
    'MOON',
    'MoonLight',
    'wiz',
    's',
    's1',
    's12',
    's699',
    'common',
    'plain',
    'n 1',
    '%',
    '_',
    '\\',
  ],
  ...[
    'a_b',
    '0%',
    'луна',
    '月',
    'うさぎ',
    'STRASSE',
    'straße',
    "'",
    '🌙',
    '$',
    '$$',
    'qqzz',
    ' ',
    '9',
    'the',
    'k\\s',
    'the moon',
  ],
]

interface Named {
  readonly id: number
  readonly texts: readonly string[]
  readonly price: number
}

/** Rank of the best matching text; null where none matches. */
function toRank(texts: readonly string[], query: string, isWhole: boolean): number | null {
  const small = texts.map((text) => text.toLowerCase())
  const asked = query.toLowerCase()
  if (isWhole && small[0] === asked) return 0
  if (small.some((text) => text.startsWith(asked))) return 1
  return small.some((text) => text.includes(asked)) ? 2 : null
}

const inCodePoints = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

describe('tokens', () => {
  it.each(QUERIES)('are found by %j like by a look at each: symbol, beginning, part; then by price', async (query) => {
    const { rows } = await sql<Named>`select id, array[symbol, name] as texts, price::float8 as price
      from tokens join pools on token_id = id where hidden_at is null`.execute(database.db)
    const expected = rows
      .map((row) => ({ ...row, rank: toRank(row.texts, query, true) }))
      .filter(({ rank }) => rank !== null)
      .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || b.price - a.price || b.id - a.id)
    const found = await findTokensByName(database.db, query, LIMIT)
    expect(found.map(({ id }) => id)).toEqual(expected.slice(0, LIMIT).map(({ id }) => id))
  })
})

describe('players', () => {
  it.each(QUERIES)('are found by %j like by a look at each: beginning, then part', async (query) => {
    const { rows } = await sql<{
      id: number
      username: string
    }>`select id, username from users where deleted_at is null`.execute(database.db)
    const expected = rows
      .map((row) => ({ ...row, rank: toRank([row.username], query, false) }))
      .filter(({ rank }) => rank !== null)
      .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || inCodePoints(a.username.toLowerCase(), b.username.toLowerCase()))
    const found = await findPlayersByName(database.db, query, LIMIT)
    expect(found.map(({ username }) => username)).toEqual(expected.slice(0, LIMIT).map(({ username }) => username))
  })
})

describe('GET /api/search', () => {
  let server: TestServer
  let luna: Visitor
  beforeAll(async () => {
    server = await createTestServer({ hasJobs: false })
    luna = await server.player('lunatic')
    await server.player('half-lunar')
  })
  afterAll(() => server?.close())
  const search = (query: string) => server.visitor().get(`/api/search?query=${encodeURIComponent(query)}`)

  it('finds tokens and players for a guest, without wallets and e-mail addresses', async () => {
    const id = await luna.launch({ name: 'Paper Luna', symbol: 'PLUNA', emoji: '🌙' })
    const answer = (await search(' LUN ')).json()
    expect(answer).toEqual({
      tokens: [expect.objectContaining({ id, name: 'Paper Luna', symbol: 'PLUNA', emoji: '🌙', ruggedAt: null })],
      players: ['lunatic', 'half-lunar'].map((username) => ({
        id: expect.any(Number),
        username,
        isBot: false,
        emoji: null,
        profilePictureUrl: null,
      })),
    })
    expect(Object.keys(answer.tokens[0]).sort()).toEqual(
      ['id', 'name', 'symbol', 'emoji', 'currentPrice', 'marketCap', 'ruggedAt'].sort(),
    )
  })

  it('shows a rugged token last among equals, as such', async () => {
    const dead = await luna.launch({ name: 'Sunk', symbol: 'SHIP' })
    const alive = await luna.launch({ name: 'Afloat', symbol: 'SHIP' })
    await luna.post(`/api/tokens/${dead}/rug`, {})
    const { tokens } = (await search('ship')).json()
    expect(tokens.map(({ id }: { id: number }) => id)).toEqual([alive, dead])
    expect(tokens[1]).toMatchObject({ ruggedAt: expect.any(String), currentPrice: '0', marketCap: '0' })
  })

  it('does not find a deleted account', async () => {
    await server.player('soon-gone')
    expect((await search('soon-gone')).json().players).toHaveLength(1)
    await sql`update users set deleted_at = now(), username = 'deleted player' where username = 'soon-gone'`.execute(
      server.database.db,
    )
    expect((await search('soon-gone')).json().players).toEqual([])
    expect((await search('deleted player')).json().players).toEqual([])
  })

  it('counts as ten reads', async () => {
    const limited = await createTestServer({ hasJobs: false, env: { RATE_LIMIT: 'on' } })
    const left = async () => Number((await limited.visitor().get('/api/search?query=x')).headers['ratelimit-remaining'])
    expect(await left()).toBe(1_190)
    expect(await left()).toBe(1_180)
    await limited.close()
  })
})
