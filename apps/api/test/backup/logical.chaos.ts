import type { DatabaseClient } from '@papermoon/db'
import { createBareDatabase, type TestDatabase } from '@papermoon/db/testing'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../support/run-command.ts'
import { startS3 } from '../support/s3-server.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const OTHER_KEY = Buffer.alloc(32, 8).toString('base64')

let market: TestMarket
beforeAll(async () => {
  market = await createTestMarket()
  const [ada, bob] = [await market.addPlayer(), await market.addPlayer()]
  const token = await market.launch(ada, '2')
  await market.buy(bob, token, '3', 'first')
  await market.sell(ada, token, '1000')
  // The tables of all other fairs are in a schema of their own.
  await market.pool.query(`insert into fairs.fair_moments (fair_id, moment) values (1, 'start')`)
})
afterAll(() => market.close())

/** All rows and sequences, except the audit's own record. */
async function dump({ db }: Pick<DatabaseClient, 'db'>): Promise<unknown> {
  const { rows } = await sql<{ name: string }>`select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace in ('public'::regnamespace, 'fairs'::regnamespace)
      and relname !~ '^(kysely|audits)' order by 1`.execute(db)
  const content: Record<string, unknown> = {}
  for (const { name } of rows) {
    const { rows: texts } = await sql`select t::text as text from ${sql.table(name)} t order by 1`.execute(db)
    content[name] = texts
  }
  const { rows: sequences } = await sql`select schemaname, sequencename, last_value from pg_sequences
    where sequencename !~ '^audits' order by 1`.execute(db)
  return { ...content, sequences }
}

async function bareDatabase(): Promise<TestDatabase> {
  const database = await createBareDatabase()
  onTestFinished(() => database.drop())
  return database
}

describe('a logical export', () => {
  it('to S3, encrypted, is audited as a copy and restored into an empty database, row by row', async () => {
    const s3 = await startS3()
    onTestFinished(() => s3.close())
    const settings = { ...s3.env, BACKUP_KEY: KEY }
    const backup = await runCommand('backup', ['s3://moon-backups/daily', '--logical'], {
      ...settings,
      DATABASE_URL: market.connectionString,
      DATA_DIR: temporaryFolder(),
    })
    expect(backup).toMatchObject({ code: 0, stderr: '' })
    expect(backup.stdout).toMatch(/Audit of the restored copy: 1 token, 3 trades, 2 players: every sum is exact/)
    expect(backup.stdout).toMatch(/The encrypted logical export \S+ is in s3:\/\/moon-backups\/daily\.\n$/)
    const before = await dump(market)
    const database = await bareDatabase()
    const target = { DATABASE_URL: database.connectionString, DATA_DIR: temporaryFolder() }
    const from = ['s3://moon-backups/daily']
    const wrong = await runCommand('restore', from, { ...settings, ...target, BACKUP_KEY: OTHER_KEY })
    expect(wrong).toEqual({
      code: 2,
      stdout: '',
      stderr: 'The backup was encrypted with another key than BACKUP_KEY.\n',
    })
    const restored = await runCommand('restore', from, { ...settings, ...target })
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    expect(await dump(database)).toEqual(before)
    const again = await runCommand('restore', from, { ...settings, ...target })
    expect(again.stderr).toBe('The database of DATABASE_URL is not empty; create another one to restore into.\n')
  })
})
