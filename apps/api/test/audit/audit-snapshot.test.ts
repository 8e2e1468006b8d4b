import { createTestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { inStreamingSnapshot } from '../../src/features/audit/streaming-snapshot.ts'

it('an audit reads one snapshot and does not hold it open while it replays', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { db, pool } = database
  await sql`create table line (number integer)`.execute(db)
  await sql`insert into line select generate_series(1, 2500)`.execute(db)
  const read: number[] = []
  await inStreamingSnapshot(
    pool,
    async (snapshot) => {
      const lines = await snapshot.stream<{ number: number }>('select number from line order by number')
      await sql`update line set number = -number`.execute(db)
      return lines
    },
    async (lines) => {
      const { rows } = await sql`select count(*)::int as holding from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend'
          and pid <> pg_backend_pid() and backend_xmin is not null`.execute(db)
      expect(rows).toEqual([{ holding: 0 }])
      for (let line = await lines.take(); line !== undefined; line = await lines.take()) read.push(line.number)
    },
  )
  expect(read).toEqual(Array.from({ length: 2_500 }, (_, i) => i + 1))
})
