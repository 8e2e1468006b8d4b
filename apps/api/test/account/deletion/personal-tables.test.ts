import { createTestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { personalTables } from '../../../src/features/account/deletion/personal-tables.ts'

const LIST = 'personalTables in apps/api/src/features/account/deletion/personal-tables.ts'

const database = await createTestDatabase()
afterAll(() => database.drop())

/** Returns the columns that refer to a player, found by their name or foreign key. */
async function ownerColumns(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.oid::regclass || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'fairs'::regnamespace) and a.attnum > 0 and not a.attisdropped
       and (a.attname ~ '(^|_)(user|creator|player|owner)_id$'
         or exists (select from pg_constraint f where f.contype = 'f' and f.conrelid = c.oid
           and f.confrelid = 'users'::regclass and f.conkey = array[a.attnum]))`.execute(database.db)
  return rows.map((row) => row.name)
}

it('the list of personal tables names every table that holds rows of a player', async () => {
  const named = personalTables.map(({ table, owner }) => `${table}.${owner}`)
  const found = [...(await ownerColumns()), 'users.id']
  const missing = found.filter((column) => !named.includes(column))
  expect(missing.map((column) => `add ${column} to ${LIST}: what an export shows, what a deletion does`)).toEqual([])
  expect(named.sort()).toEqual(found.sort())
})

it.each(personalTables.map((entry) => [entry.table, entry] as const))(
  'every column of %s is exported, or withheld for a reason',
  async (table, { owner, exported, withheld }) => {
    const { rows } = await sql<{ name: string }>`
      select attname as name from pg_attribute
       where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(database.db)
    const decided = new Set([owner, ...exported, ...withheld])
    const columns = rows.map((row) => row.name)
    const missing = columns.filter((column) => !decided.has(column))
    const hint = (column: string) => `add ${table}.${column} to exported or withheld of its entry in ${LIST}`
    expect(missing.map(hint)).toEqual([])
    expect([...decided].sort()).toEqual(columns.sort())
    expect(exported.filter((column) => withheld.includes(column))).toEqual([])
    expect(exported.filter((column) => /hash|secret/.test(column))).toEqual([])
  },
)
