import { type Sort, sorts } from '@papermoon/contract/tokens'
import { createTestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { writeCursor } from '../../src/features/tokens/list/cursor.ts'
import { findTokens, type TokenRow } from '../../src/features/tokens/store.ts'

/** More tokens than a search scans before it uses the index. */
const TOKENS = 3_000
const NOW = new Date('2026-06-01T00:00:00Z')

const WORDS = [
  'Moon',
  'paper',
  'İstanbul',
  '100%',
  'a_b',
  'back\\slash',
  'ЛУНА',
  '月のうさぎ',
  'Straße',
  "o'clock",
  '🌙',
  '$$',
]

const database = await createTestDatabase()
const { db } = database
await sql`insert into users (username, username_key, email, email_key, wallet, password_hash)
  values ('p', 'p', 'p', 'p', 'w', 'none')`.execute(db)
// Rare words are in the oldest tokens only, out of reach of the scan.
await sql`insert into tokens (creator_id, name, symbol, emoji, supply, launch_price, launch_fee, created_at, hidden_at)
  select 1, case when n % 3 = 0 then 'Common ' else 'Plain ' end || n ||
         case when n <= 120 then ' ' || (${WORDS}::text[])[1 + n % ${WORDS.length}::int] else '' end,
         'S' || n % 700, '🌙', 1000000000, 0.00000003, 0.02, timestamptz '2026-01-01' + n / 2 * interval '1 minute',
         case when n % 50 = 0 then now() end
    from generate_series(1, ${TOKENS}::int) n`.execute(db)
await sql`insert into pools (token_id, sol_reserve, virtual_sol, token_reserve, price, last_event_at, chain_head)
  select id, 30, 30, 1000, (id % 40) * 0.00000001, created_at + id % 600 * interval '1 hour', sha256('')
    from tokens`.execute(db)
// Every fortieth token: those without a price.
await sql`with rugged as (update pools set rugged_at = ${NOW}, seq = 1 where price = 0 returning token_id)
  insert into rugs (token_id, seq, user_id, amount, created_at, hash)
  select token_id, 1, 1, 5, ${NOW}, sha256('') from rugged`.execute(db)
/** Every visible token. */
const tokens = await everyToken()
afterAll(() => database.drop())

interface Listed {
  readonly id: number
  readonly name: string
  readonly symbol: string
  readonly createdAtMs: number
  readonly price: number
  readonly lastEventMs: number
}

async function everyToken(): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select t.id, t.name, t.symbol, (extract(epoch from t.created_at) * 1000)::float8 as "createdAtMs", p.price::float8 as price,
           (extract(epoch from p.last_event_at) * 1000)::float8 as "lastEventMs"
      from tokens t join pools p on p.token_id = t.id where t.hidden_at is null`.execute(database.db)
  return rows
}

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

/** Reads all pages by their cursors. */
async function pagedIds(sort: Sort, search: string, limit: number, hidesRugged = false): Promise<number[]> {
  const ids: number[] = []
  let last: TokenRow | undefined
  do {
    const after = last === undefined ? null : toCursor(sort, last)
    const page = await findTokens(database.db, { search, sort, hidesRugged, limit, after, now: NOW })
    ids.push(...page.map(({ id }) => id))
    last = page.length === limit ? page.at(-1) : undefined
  } while (last !== undefined)
  return ids
}

function toCursor(sort: Sort, row: TokenRow): { value: string; id: number } {
  const [, value, id] = JSON.parse(Buffer.from(writeCursor(sort, row), 'base64url').toString())
  return { value, id }
}

describe('a search of tokens', () => {
  const searches = [
    'Common',
    'common 2',
    'n',
    '12',
    '7',
    'S69',
    ...WORDS,
    ...WORDS.map((word) => word.slice(0, 2)),
    '%',
    '_',
  ]

  it.each(searches)('finds each token that holds %j once, in every order, page by page', async (search) => {
    for (const sort of sorts) {
      const expected = expectedIds(sort, search)
      expect(expected.length).toBeGreaterThan(0)
      expect(await pagedIds(sort, search, Math.max(3, Math.ceil(expected.length / 4)))).toEqual(expected)
    }
  })

  it.each(['nowhere', 'mooon', '月月', '%%', 'zq', '~'])('finds nothing for %j', async (search) => {
    expect(await pagedIds('newest', search, 25)).toEqual([])
  })

  it('finds a name in another case', async () => {
    expect(await pagedIds('newest', 'луна', 25)).toEqual(expectedIds('newest', 'ЛУНА'))
  })

  it('does not match across the end of a name or symbol', async () => {
    expect(await pagedIds('newest', 'moons', 25)).toEqual([])
  })

  it.each(['', 'common', 'moon'])('leaves rugged tokens out on request, in every order (%j)', async (search) => {
    for (const sort of sorts) {
      const expected = expectedIds(sort, search, true)
      expect(expected.length).toBeLessThan(expectedIds(sort, search).length)
      expect(await pagedIds(sort, search, Math.ceil(expected.length / 3), true)).toEqual(expected)
    }
  })

  it('without a text lists every visible token', async () => {
    for (const sort of sorts) {
      expect(await pagedIds(sort, '', 1_000)).toEqual(expectedIds(sort, ''))
    }
  })
})
