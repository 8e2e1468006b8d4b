import { type Sort, sorts } from '@papermoon/contract/tokens'
import { createTestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { writeCursor } from '../../src/features/tokens/list/cursor.ts'
import { findTokens, type PageQuery, pageRows } from '../../src/features/tokens/store.ts'
import { countMostRows } from '../support/statements.ts'

const TOKENS = 4_000
const OPEN = 40
const LIMIT = 10
const NOW = new Date('2026-06-01T00:00:00Z')

/** A market in which nearly all tokens are rugged. The few open tokens come last in every order except by price. */
const database = await createTestDatabase()
const { db } = database
await sql`insert into users (username, username_key, email, email_key, wallet, password_hash)
  values ('p', 'p', 'p', 'p', 'w', 'none')`.execute(db)
await sql`insert into tokens (position, creator_id, name, symbol, emoji, supply, launch_price, launch_fee, created_at)
  select first + n - 1, 1, 'Moon ' || n, 'S' || n, '🌙', 1000000000, 0.00000003, 0.02,
         timestamptz '2026-01-01' + (case when n <= ${OPEN} then 2000 else n end) * interval '1 minute'
    from next_position(${TOKENS}) first, generate_series(1, ${TOKENS}::int) n`.execute(db)
await sql`insert into pools (token_id, sol_reserve, virtual_sol, token_reserve, price, last_event_at, chain_head)
  select id, 30, 30, 1000, (id % 7 + 1) * 0.00000001, created_at, sha256('') from tokens`.execute(db)
await sql`with rugged as (update pools set rugged_at = ${NOW}, price = 0, seq = 1 where token_id > ${OPEN} returning token_id)
  insert into rugs (position, token_id, seq, user_id, amount, created_at, hash)
  select first + token_id, token_id, 1, 1, 5, ${NOW}, sha256('') from next_position(${TOKENS}) first, rugged`.execute(
  db,
)
await sql`vacuum (analyze)`.execute(db)
afterAll(() => database.drop())

/**
 * Returns the max number of rows that a step of the page's query reads. Scans are off, because PostgreSQL would scan
 * such small tables.
 */
async function countRows(query: PageQuery): Promise<number> {
  return await database.db.transaction().execute(async (tx) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(
      tx,
    )
    return await countMostRows(tx, pageRows(query).compile(tx))
  })
}

const query = (sort: Sort, search = ''): PageQuery => ({
  search,
  sort,
  hidesRugged: true,
  limit: LIMIT,
  after: null,
  now: NOW,
})

describe('a list without rugged tokens, if nearly all are rugged', () => {
  it.each(sorts)('reads at most twice as many rows as it returns on any page, in the order %s', async (sort) => {
    let page = query(sort)
    let seen = 0
    while (seen < OPEN) {
      expect(await countRows(page)).toBeLessThanOrEqual(2 * LIMIT)
      const rows = await findTokens(database.db, page)
      seen += rows.length
      const last = rows.at(-1)
      if (rows.length !== LIMIT || last === undefined) throw new Error('a page is too short')
      const [, value, id] = JSON.parse(Buffer.from(writeCursor(sort, last), 'base64url').toString())
      page = { ...page, after: { value, id } }
    }
    expect(await findTokens(database.db, page)).toEqual([])
    expect(await countRows(page)).toBeLessThanOrEqual(LIMIT)
  })

  it.each(sorts)('searches open tokens only, in the order %s', async (sort) => {
    const found = await findTokens(database.db, query(sort, 'moon'))
    expect(found).toHaveLength(LIMIT)
    expect(await countRows(query(sort, 'moon'))).toBeLessThanOrEqual(2 * OPEN)
  })
})
