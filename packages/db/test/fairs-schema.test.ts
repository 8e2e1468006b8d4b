import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../src/testing.ts'

const HINT = 'a migration of a market table is written for public and for fairs, or its difference is named here'
/**
 * Tables of the market. `accounts` is not among them, because in fairs it has more columns, and a player can have many
 * rows.
 */
const TABLES = [
  ...['tokens', 'pools', 'holdings', 'trades', 'rugs', 'seals', 'closed_candles', 'holder_checkpoints'],
  ...['fair_moments', 'journal', 'posts', 'waiting_orders'],
]
const VIEWS = ['candles']

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function readAs(schema: 'public' | 'fairs', query: (names: readonly string[]) => ReturnType<typeof sql>) {
  const { rows } = await query([...TABLES, ...VIEWS].map((name) => `${schema}.${name}`)).execute(database.db)
  // Remove the schemas, so that names of both are the same.
  return rows.map((row) => JSON.stringify(row).replaceAll('fairs.', '').replaceAll('public.', ''))
}

describe('the market of the fairs', () => {
  it('has the tables of the fairground and no others', async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relnamespace = 'fairs'::regnamespace and relkind in ('r', 'v')
       order by 1`.execute(database.db)
    expect(rows.map(({ name }) => name)).toEqual([...TABLES, ...VIEWS, 'accounts'].sort())
  })

  it('has the same columns in the same order', async () => {
    const query = (names: readonly string[]) => sql`
      select attrelid::regclass::text as "table", attname, format_type(atttypid, atttypmod) as type, attnotnull
        from pg_attribute where attrelid = any(${names}::regclass[]) and attnum > 0 and not attisdropped
       order by attrelid::regclass::text, attnum`
    const fairs = await readAs('fairs', query)
    expect(fairs.length).toBeGreaterThan(100)
    expect(fairs, HINT).toEqual(await readAs('public', query))
  })

  it('has the same checks and triggers, with listed exceptions', async () => {
    const query = (names: readonly string[]) => sql`
      select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as rule from pg_constraint
       where contype = 'c' and conrelid = any(${names}::regclass[])
      union all
      select tgrelid::regclass::text, tgname from pg_trigger
       where not tgisinternal and tgrelid = any(${names}::regclass[]) order by 1, 2`
    const [fairs, fairground] = [await readAs('fairs', query), await readAs('public', query)]
    const only = fairs.filter((rule) => !fairground.includes(rule))
    expect(only.map((rule) => Object(JSON.parse(rule)).rule)).toEqual([
      'refuse_after_bell',
      'CHECK ((id >= 1000000000))',
      'CHECK ((id >= 1000000000))',
      'refuse_closed_fair',
    ])
    expect(
      fairground.filter((rule) => !fairs.includes(rule)),
      HINT,
    ).toEqual([])
  })
})
