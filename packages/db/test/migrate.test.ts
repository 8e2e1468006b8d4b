import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, type DatabaseClient } from '../src/client.ts'
import { DatabaseIsNewerError, DatabaseIsOlderError, DatabaseUnsupportedError } from '../src/errors.ts'
import { assertMigrated, migrateToLatest } from '../src/migrate.ts'
import { migrations } from '../src/migrations.ts'
import { createBareDatabase, createTestDatabase, type TestDatabase } from '../src/testing.ts'
import { spawnFixture } from './fixtures/spawn-fixture.ts'

const nothing = { up: async () => {} }

/** Drops a database after the test. */
function dropAfterTest(database: TestDatabase): TestDatabase {
  onTestFinished(() => database.drop())
  return database
}

/** Returns a database without tables. */
const bare = async () => dropAfterTest(await createBareDatabase({ poolMax: 1 }))
/** Returns a database with all migrations. */
const migrated = async () => dropAfterTest(await createTestDatabase({ poolMax: 1 }))

describe('migrateToLatest', () => {
  it('applies every migration to an empty database once', async () => {
    const { db } = await bare()
    expect(await migrateToLatest(db)).toEqual(Object.keys(migrations))
    expect(await migrateToLatest(db)).toEqual([])
  })

  it('creates functions that a dump can restore', async () => {
    const { db } = await migrated()
    const { rows } = await sql<{ text: string }>`
      select pg_get_functiondef(p.oid) as text from pg_proc p
       where pronamespace = 'public'::regnamespace and prokind = 'f'`.execute(db)
    expect(rows.length).toBeGreaterThanOrEqual(2)
    // A dump contains functions as PostgreSQL prints them, so restore these texts.
    for (const { text } of rows) await sql.raw(text).execute(db)
  })

  it('lets processes that start together take turns', async () => {
    const { address, db } = await bare()
    const processes = [1, 2, 3].map(() => spawnFixture('migrate-process.ts', JSON.stringify(address)))
    const answers = await Promise.all(processes.map((process) => process.line()))
    const applied = answers.map((answer) => answer.applied as string[])
    expect(applied.filter((names) => names.length > 0)).toEqual([Object.keys(migrations)])
    expect(await migrateToLatest(db)).toEqual([])
  })

  it('rejects a database migrated by a newer build', async () => {
    const { db } = await migrated()
    await migrateToLatest(db, { ...migrations, '9999-from-the-future': nothing })
    const refusal = migrateToLatest(db)
    await expect(refusal).rejects.toThrow(DatabaseIsNewerError)
    await expect(refusal).rejects.toThrow('9999-from-the-future')
  })

  it('accepts a newer schema unchanged if all its migrations are marked as compatible', async () => {
    const { db } = await migrated()
    const newer = { ...migrations, '9998-index.compatible': nothing, '9999-table.compatible': nothing }
    await migrateToLatest(db, newer)
    expect(await migrateToLatest(db)).toEqual([])
    await assertMigrated(db)
    expect(await migrateToLatest(db, newer)).toEqual([])
  })

  it.each([
    ['9998-index.compatible', '9999-drops-a-column'],
    ['9998-drops-a-column', '9999-index.compatible'],
    ['9998-drops-a-column', '9999-index-compatible'],
  ])('refuses a newer schema with one migration that is not compatible: %s, %s', async (one, other) => {
    const { db } = await migrated()
    await migrateToLatest(db, { ...migrations, [one]: nothing, [other]: nothing })
    await expect(migrateToLatest(db)).rejects.toThrow(DatabaseIsNewerError)
    await expect(migrateToLatest(db)).rejects.toThrow('drops-a-column')
    await expect(assertMigrated(db)).rejects.toThrow(DatabaseIsNewerError)
  })

  it('rejects compatible migrations if migrations of this build are missing', async () => {
    const { db } = await bare()
    const [newest = ''] = Object.keys(migrations).slice(-1)
    const { [newest]: _, ...fewer } = migrations
    await migrateToLatest(db, { ...fewer, '9999-index.compatible': nothing })
    await expect(migrateToLatest(db)).rejects.toThrow(DatabaseIsNewerError)
    await expect(assertMigrated(db)).rejects.toThrow(DatabaseIsOlderError)
  })

  it.each([
    [
      'an outdated PostgreSQL',
      `current_setting(name text) returns text language sql as $$
        select case name when 'server_version' then '14.19' when 'server_version_num' then '140019' end $$`,
      'The database is PostgreSQL 14.19, and Papermoon needs 15 or newer.',
    ],
    [
      'an encoding that lacks characters',
      `pg_encoding_to_char(int) returns name language sql as $$ select 'LATIN1'::name $$`,
      'The database has the encoding LATIN1, and Papermoon needs UTF8',
    ],
  ])('rejects %s before changing anything', async (_what, answer, sentence) => {
    const { db } = await bare()
    await sql.raw(`create schema fake; create function fake.${answer}`).execute(db)
    await sql`set search_path = fake, pg_catalog, public`.execute(db)
    const refusal = migrateToLatest(db)
    await expect(refusal).rejects.toThrow(DatabaseUnsupportedError)
    await expect(refusal).rejects.toThrow(sentence)
    const { rows } = await sql`select to_regclass('public.kysely_migration') as migrations`.execute(db)
    expect(rows).toEqual([{ migrations: null }])
  })

  it('rolls a failing migration back and releases the lock', async () => {
    const { db } = await bare()
    const failing = {
      '9998-half': { up: async (tx: DatabaseClient['db']) => void (await sql`create table half ()`.execute(tx)) },
      '9999-fails': { up: () => Promise.reject(new Error('no')) },
    }
    await expect(migrateToLatest(db, failing)).rejects.toThrow('no')
    const { rows } = await sql`select to_regclass('half') as half, count(*)::int as locks from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`.execute(
      db,
    )
    expect(rows).toEqual([{ half: null, locks: 0 }])
    expect(await migrateToLatest(db)).toEqual(Object.keys(migrations))
  })

  it('does not block reads of a table while the migration waits for a longer read', async () => {
    const { db, address } = await migrated()
    const reader = connect(address, { poolMax: 2 })
    onTestFinished(() => reader.close())
    const long = await reader.db.startTransaction().execute()
    await sql`select count(*) from users`.execute(long)
    const adds = { up: async (tx: DatabaseClient['db']) => void (await sql`alter table users add x int`.execute(tx)) }
    const migrating = migrateToLatest(db, { ...migrations, '9999-adds': adds })
    const countWaiting = async () => {
      const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_locks
        where relation = 'users'::regclass and not granted`.execute(long)
      return rows[0]?.waiting
    }
    const isEventually = { timeout: 30_000, interval: 20 }
    await expect.poll(countWaiting, isEventually).toBe(1)
    await expect.poll(countWaiting, isEventually).toBe(0)
    await sql`select count(*) from users`.execute(reader.db)
    await long.rollback().execute()
    expect(await migrating).toEqual(['9999-adds'])
  })

  it('rejects data of a version before 0.3.0 with a sentence that names it, and changes nothing', async () => {
    const { db } = await migrated()
    await sql`delete from kysely_migration where name >= '0060'`.execute(db)
    const sentence = 'The database is older than Papermoon 0.3.0. Start 0.3.0 on it once, and then this version.'
    await expect(migrateToLatest(db)).rejects.toThrow(sentence)
    await expect(assertMigrated(db)).rejects.toThrow(sentence)
    const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db)
    expect(rows[0]?.name).toBe('0059-moderation-head.compatible')
  })

  it('keeps the scores of fairs that have begun: house bots’ losses count in full in later fairs only', async () => {
    const { db } = await bare()
    const earlier = Object.entries(migrations).filter(([name]) => name < '0067')
    await migrateToLatest(db, Object.fromEntries(earlier))
    const insert = (kind: string, state: string) =>
      sql`
      insert into fairs (kind, name, stake, lobby_at, starts_at, secret, entrants_max, state)
        values (${kind}, ${`${kind}, ${state}`}, 100, now(), now(), '', 500, ${state})`.execute(db)
    await insert('arena', 'lobby')
    await insert('cup', 'open')
    await insert('room', 'settled')
    await insert('season', 'void')
    await migrateToLatest(db)
    // An older build beside this one does not know the column, and applies the earlier rule to its fairs.
    await insert('sandbox', 'lobby')
    const { rows } = await sql`select name, limits_bots as limits from fairs where id > 1 order by id`.execute(db)
    expect(rows).toEqual([
      { name: 'arena, lobby', limits: false },
      { name: 'cup, open', limits: true },
      { name: 'room, settled', limits: true },
      { name: 'season, void', limits: true },
      { name: 'sandbox, lobby', limits: true },
    ])
  })

  it('restores the limits of the connection', async () => {
    const { db } = await bare()
    await migrateToLatest(db)
    const { rows } = await sql`select current_setting('statement_timeout') as limit`.execute(db)
    expect(rows).toEqual([{ limit: '1min' }])
  })
})

describe('assertMigrated', () => {
  it('accepts only the schema of this build and changes nothing', async () => {
    const { db } = await bare()
    await expect(assertMigrated(db)).rejects.toThrow(DatabaseIsOlderError)
    await migrateToLatest(db)
    await assertMigrated(db)
    await sql`insert into kysely_migration values ('9999-from-the-future', 'now')`.execute(db)
    await expect(assertMigrated(db)).rejects.toThrow(DatabaseIsNewerError)
  })
})
