import { type ReplicatedServer, startReplicatedServer } from '@papermoon/db/testing'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type DatabaseClient } from '../src/client.ts'
import { assertMigrated, migrateToLatest } from '../src/migrate.ts'
import { readServerPosition } from '../src/replica.ts'
import type { Database } from '../src/schema.ts'

const WRITES = 'set DATABASE_URL to its primary, and READ_DATABASE_URL to the replica'

let servers: ReplicatedServer
let primary: DatabaseClient
let replica: DatabaseClient
beforeAll(async () => {
  servers = await startReplicatedServer()
  primary = connect(servers.primary, { poolMax: 1 })
  replica = connect(servers.replica, { poolMax: 1 })
  await sql`create table notes (id integer primary key)`.execute(primary.db)
})
afterAll(async () => {
  await Promise.all([primary?.close(), replica?.close()])
  await servers?.remove()
})

async function replayed(position: number): Promise<void> {
  await expect.poll(async () => (await readServerPosition(replica.db)).position).toBeGreaterThanOrEqual(position)
}

async function countNotes(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from notes`.execute(db)
  return rows[0]?.count ?? 0
}

describe('readServerPosition', () => {
  it.each(['on', 'off'])('a replica at it reads every commit before it, with synchronous_commit %s', async (how) => {
    await sql`set synchronous_commit = ${sql.lit(how)}`.execute(primary.db)
    const before = await countNotes(primary.db)
    for (let count = 1; count <= 5; count++) {
      await sql`insert into notes select coalesce(max(id), 0) + 1 from notes`.execute(primary.db)
      const { position } = await readServerPosition(primary.db)
      await replayed(position)
      expect(await countNotes(replica.db)).toBe(before + count)
    }
  })

  it('is reached by a replica after the primary began a new file of WAL', async () => {
    await sql`select pg_switch_wal()`.execute(primary.db)
    await replayed((await readServerPosition(primary.db)).position)
  })

  it('says which server is the replica, and that both have the same data', async () => {
    const [one, other] = [await readServerPosition(primary.db), await readServerPosition(replica.db)]
    expect([one.isReplica, other.isReplica]).toEqual([false, true])
    expect(one.systemId).toMatch(/^\d{15,}$/)
    expect(other.systemId).toBe(one.systemId)
  })
})

describe('a replica as the database', () => {
  it('is refused in one sentence, by a start and by a command', async () => {
    await expect(migrateToLatest(replica.db)).rejects.toThrow(WRITES)
    await expect(assertMigrated(replica.db)).rejects.toThrow(WRITES)
  })
})
