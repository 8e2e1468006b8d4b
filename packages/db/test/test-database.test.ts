import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type DatabaseClient } from '../src/client.ts'
import { createTestDatabase, type TestDatabase } from '../src/testing.ts'

describe('createTestDatabase', () => {
  let one: TestDatabase
  let other: TestDatabase
  beforeAll(async () => {
    ;[one, other] = await Promise.all([createTestDatabase(), createTestDatabase()])
  })
  afterAll(() => Promise.all([one.drop(), other.drop()]))

  it('creates a migrated database', async () => {
    expect(await one.db.selectFrom('users').selectAll().execute()).toEqual([])
  })

  it('creates a separate database for each caller', async () => {
    await sql`create table mine (id integer)`.execute(one.db)
    await expect(sql`select * from mine`.execute(other.db)).rejects.toThrow('does not exist')
  })

  it('returns a URL of the same database', async () => {
    const client = connect({ connectionString: one.connectionString })
    const name = (db: DatabaseClient['db']) => sql`select current_database() as name`.execute(db)
    expect((await name(client.db)).rows).toEqual((await name(one.db)).rows)
    await client.close()
  })

  it('deletes the database on drop', async () => {
    const third = await createTestDatabase()
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(third.db)
    await third.drop()
    const left = await sql`select 1 from pg_database where datname = ${rows[0]?.name}`.execute(one.db)
    expect(rows).toHaveLength(1)
    expect(left.rows).toEqual([])
  })
})
