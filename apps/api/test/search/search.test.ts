import { type Sort, sorts } from '@papermoon/contract/tokens'
import { createTestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPlayersByName, findTokensByName } from '../../src/features/search/search-everything.ts'
import { readCursor, writeCursor } from '../../src/features/tokens/list/cursor.ts'
import { findTokens, type TokenRow } from '../../src/features/tokens/store.ts'
import { createTestServer, type TestServer, type Visitor } from '../support/test-server.ts'

/** More tokens than a search scans before it uses the indexes. */
const TOKENS = 3_000
const PLAYERS = 600
const LIMIT = 8

const WORDS = "Moon|moonlight|İstanbul|100%|a_b|back\\slash|ЛУНА|月のうさぎ|Straße|o'clock|🌙|$$|Wiz".split('|')

const database = await createTestDatabase()
const { db } = database
await sql`insert into users (username, username_key, email, email_key, wallet, password_hash, deleted_at)
  select case when n % 4 = 0 then 'the ' else '' end || (${WORDS}::text[])[1 + n % ${WORDS.length}::int] || n,
         n, n, n, 'w', 'none', case when n % 50 = 0 then now() end
    from generate_series(1, ${PLAYERS}::int) n`.execute(db)
// Only the cheapest tokens contain rare words, and the scan does not get that far.
await sql`insert into tokens (position, creator_id, name, symbol, emoji, supply, launch_price, launch_fee, created_at,
                      hidden_at)
  select first + n - 1, 1, case when n % 3 = 0 then 'Common ' else 'Plain ' end || n ||
         case when n <= 240 then ' ' || (${WORDS}::text[])[1 + n % ${WORDS.length}::int] else '' end,
         case when n % 97 = 0 then 'WIZ' when n % 89 = 0 then 'MOON' when n = 5 then 'COMMON' else 'S' || n % 700 end,
         '🌙', 1000000000, 0.00000003, 0.02, timestamptz '2026-01-01' + n / 2 * interval '1 minute',
         case when n % 50 = 0 then now() end
    from next_position(${TOKENS}) first, generate_series(1, ${TOKENS}::int) n`.execute(db)
await sql`insert into pools (token_id, sol_reserve, virtual_sol, token_reserve, price, last_event_at, chain_head, rugged_at)
  select id, 30, 30, 1000, case when id % 7 = 0 then 0 else (id / 3 + 1) * 0.00000001 end,
         created_at + id % 600 * interval '1 hour', sha256(''), case when id % 7 = 0 then now() end from tokens`.execute(
  db,
)
await sql`insert into rugs (position, token_id, seq, user_id, amount, created_at, hash)
  select first + token_id, token_id, 1, 1, 5, rugged_at, sha256('') from next_position(${TOKENS}) first, pools where rugged_at is not null`.execute(
  db,
)
await sql`analyze`.execute(db)
afterAll(() => database.drop())

const QUERIES = [
  ...'m|M|mo|moon|MOON|MoonLight|wiz|s|s1|s12|s699|common|plain|n 1|%|_|\\|a_b|0%|луна|月|うさぎ'.split('|'),
  ..."STRASSE|straße|'|🌙|$|$$|qqzz| |9|the|k\\s|the moon".split('|'),
]

interface Named {
  readonly id: number
  readonly texts: readonly string[]
  readonly price: number
}

const { rows: namedTokens } = await sql<Named>`select id, array[symbol, name] as texts, price::float8 as price
  from tokens join pools on token_id = id where hidden_at is null`.execute(db)
const { rows: players } = await sql<{ id: number; username: string }>`
  select id, username from users where deleted_at is null`.execute(db)

/** Returns the rank of the best matching text, or null without a match. */
function toRank(texts: readonly string[], query: string, isWhole: boolean): number | null {
  const small = texts.map((text) => text.toLowerCase())
  const asked = query.toLowerCase()
  if (isWhole && small[0] === asked) return 0
  if (small.some((text) => text.startsWith(asked))) return 1
  return small.some((text) => text.includes(asked)) ? 2 : null
}

const inCodePoints = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

describe('tokens', () => {
  it.each(QUERIES)('are found by %j as by checking each: symbol, beginning, part; then by price', async (query) => {
    const expected = namedTokens
      .map((row) => ({ ...row, rank: toRank(row.texts, query, true) }))
      .filter(({ rank }) => rank !== null)
      .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || b.price - a.price || b.id - a.id)
    const found = await findTokensByName(database.db, query, LIMIT)
    expect(found.map(({ id }) => id)).toEqual(expected.slice(0, LIMIT).map(({ id }) => id))
  })
})

describe('players', () => {
  it.each(QUERIES)('are found by %j as by checking each: beginning, then part', async (query) => {
    const expected = players
      .map((row) => ({ ...row, rank: toRank([row.username], query, false) }))
      .filter(({ rank }) => rank !== null)
      .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || inCodePoints(a.username.toLowerCase(), b.username.toLowerCase()))
    const found = await findPlayersByName(database.db, query, LIMIT)
    expect(found.map(({ username }) => username)).toEqual(expected.slice(0, LIMIT).map(({ username }) => username))
  })
})

const NOW = new Date('2026-06-01T00:00:00Z')

interface Listed {
  readonly id: number
  readonly name: string
  readonly symbol: string
  readonly createdAtMs: number
  readonly price: number
  readonly lastEventMs: number
}

/** All visible tokens. */
const { rows: tokens } = await sql<Listed>`
  select t.id, t.name, t.symbol, (extract(epoch from t.created_at) * 1000)::float8 as "createdAtMs", p.price::float8 as price,
         (extract(epoch from p.last_event_at) * 1000)::float8 as "lastEventMs"
    from tokens t join pools p on p.token_id = t.id where t.hidden_at is null`.execute(db)

const signs = { newest: -1, oldest: 1, 'mcap-high': -1, 'mcap-low': 1, 'last-trade': -1 } satisfies Record<Sort, 1 | -1>
const toKey = (sort: Sort) => (token: Listed) =>
  sort === 'last-trade' ? token.lastEventMs : sort.startsWith('mcap') ? token.price : token.createdAtMs

function expectedIds(sort: Sort, search: string, hidesRugged = false): number[] {
  const key = toKey(sort)
  const holds = (text: string) => text.toLowerCase().includes(search.toLowerCase())
  const found = tokens.filter(
    ({ name, symbol, price }) => (holds(name) || holds(symbol)) && !(hidesRugged && price === 0),
  )
  return found.sort((a, b) => signs[sort] * (key(a) - key(b) || a.id - b.id)).map(({ id }) => id)
}

/** Returns the ids of all pages, read with their cursors. */
async function pagedIds(sort: Sort, search: string, limit: number, hidesRugged = false): Promise<number[]> {
  const ids: number[] = []
  let last: TokenRow | undefined
  do {
    const after = last === undefined ? null : readCursor(sort, writeCursor(sort, last))
    const page = await findTokens(database.db, { search, sort, hidesRugged, limit, after, now: NOW })
    ids.push(...page.map(({ id }) => id))
    last = page.length === limit ? page.at(-1) : undefined
  } while (last !== undefined)
  return ids
}

describe('a search of the list of tokens', () => {
  const check = async (search: string, orders: readonly Sort[], hidesRugged = false) => {
    for (const sort of orders) {
      const expected = expectedIds(sort, search, hidesRugged)
      expect(expected.length).toBeGreaterThan(0)
      const limit = Math.max(3, Math.ceil(expected.length / 4))
      expect(await pagedIds(sort, search, limit, hidesRugged)).toEqual(expected)
    }
  }

  it.each(['', 'Common', 'common 2', 'n', '12', '7', 'S69', 'Moon', '%'])(
    'finds each token that contains %j once, in every order, page by page',
    (search) => check(search, sorts),
  )

  it.each([...WORDS, ...WORDS.map((word) => word.slice(0, 2)), '_', 'луна'])(
    'treats %j as plain text, in any case',
    (search) => check(search, ['mcap-low']),
  )

  it.each(['nowhere', 'mooon', '月月', '%%', 'zq', '~', 'moons'])('finds nothing for %j', async (search) => {
    expect(await pagedIds('newest', search, 25)).toEqual([])
  })

  it.each(['', 'common', 'moon'])('omits rugged tokens on request, in every order (%j)', async (search) => {
    expect(expectedIds('newest', search, true).length).toBeLessThan(expectedIds('newest', search).length)
    await check(search, sorts, true)
  })
})

describe('GET /api/search', () => {
  let server: TestServer
  let luna: Visitor
  beforeAll(async () => {
    server = await createTestServer({ env: { RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' } })
    luna = await server.player('lunatic')
    await server.player('half-lunar')
  })
  afterAll(() => server?.close())
  const search = (query: string) => server.visitor().get(`/api/search?query=${encodeURIComponent(query)}`)

  it('finds tokens and players for a guest, without wallets and email addresses', async () => {
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

  it('shows a rugged token last among equals, marked as rugged', async () => {
    const dead = await luna.launch({ name: 'Sunk', symbol: 'SHIP' })
    const alive = await luna.launch({ name: 'Afloat', symbol: 'SHIP' })
    await luna.post(`/api/tokens/${dead}/rug`, {})
    const { tokens } = (await search('ship')).json()
    expect(tokens.map(({ id }: { id: number }) => id)).toEqual([alive, dead])
    expect(tokens[1]).toMatchObject({ ruggedAt: expect.any(String), currentPrice: '0', marketCap: '0' })
  })

  it('counts as ten reads of the rate limit', async () => {
    const from = { 'x-forwarded-for': '203.0.113.1' }
    const read = () => server.visitor().get('/api/search?query=x', from)
    for (const left of ['1190', '1180']) expect((await read()).headers['ratelimit-remaining']).toBe(left)
  })
})
