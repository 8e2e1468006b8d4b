import type { DatabaseClient } from '@papermoon/db'
import { createBareDatabase, type TestDatabase } from '@papermoon/db/testing'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createObjectStore } from '../../src/storage/create-object-store.ts'
import { createPictureName, type ObjectStore, toPictureUrl } from '../../src/storage/object-store.ts'
import { runCommand } from '../support/run-command.ts'
import { startS3 } from '../support/s3-server.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const OTHER_KEY = Buffer.alloc(32, 8).toString('base64')

let market: TestMarket
beforeEach(async () => {
  market = await createTestMarket()
})
afterEach(() => market.close())

/** Returns all rows and sequences, except the audit's own record. */
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

it('a logical export to S3, encrypted, is audited as a copy and restored into an empty database, row by row', async () => {
  const [ada, bob] = [await market.addPlayer(), await market.addPlayer()]
  const token = await market.launch(ada, '2')
  await market.buy(bob, token, '3', 'first')
  await market.sell(ada, token, '1000')
  // The tables of all other fairs are in their own schema, `fairs`.
  await market.pool.query(`insert into fairs.fair_moments (fair_id, moment) values (1, 'start')`)
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

/** Adds a player with this picture, which nobody else has. */
async function wear(name: string): Promise<void> {
  const userId = await market.addPlayer()
  await market.db
    .updateTable('users')
    .set({ profile_picture_url: toPictureUrl(name) })
    .where('id', '=', userId)
    .execute()
}

const openStore = (settings: Record<string, string>): Promise<ObjectStore> =>
  createObjectStore(readConfig(settings), pino({ level: 'silent' }))

it('restores pictures from S3 into the bucket of the restoring server', async () => {
  const s3 = await startS3()
  onTestFinished(() => s3.close())
  const before = await openStore({ S3_URL: s3.toUrl('moon-before') })
  await before.prepare()
  const pictures = Array.from({ length: 3 }, (_, i) => Buffer.from(`picture ${i}`))
  for (const picture of pictures) await before.write(createPictureName(picture), picture, 'image/webp')
  const [used, , alsoUsed] = pictures.map((picture) => createPictureName(picture))
  for (const name of [used, alsoUsed]) await wear(name ?? expect.fail())
  const place = temporaryFolder()
  const backup = await runCommand('backup', [place, '--logical'], {
    S3_URL: s3.toUrl('moon-before'),
    DATABASE_URL: market.connectionString,
    DATA_DIR: temporaryFolder(),
  })
  expect(backup).toMatchObject({ code: 0, stderr: '' })
  const database = await bareDatabase()
  const restored = await runCommand('restore', [place], {
    S3_URL: s3.toUrl('moon-after'),
    DATABASE_URL: database.connectionString,
    DATA_DIR: temporaryFolder(),
  })
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(restored.stdout).toContain('Restored pictures: 2.\n')
  const after = await openStore({ S3_URL: s3.toUrl('moon-after') })
  const stored = await after.list('pictures/', { after: '', most: 10 })
  expect(stored.map(({ name }) => name)).toEqual([used, alsoUsed].sort())
  for (const [name, picture] of [
    [used, pictures[0]],
    [alsoUsed, pictures[2]],
  ] as const) {
    expect(await after.read(name ?? expect.fail(), 100)).toEqual(picture)
  }
})

it('restores pictures with the new key alone after a change of the key', async () => {
  const [place, dataDir] = [temporaryFolder(), temporaryFolder()]
  const bytes = Buffer.from('picture')
  const picture = createPictureName(bytes)
  const objects = await openStore({ DATA_DIR: dataDir })
  await objects.prepare()
  await objects.write(picture, bytes, 'image/webp')
  await wear(picture)
  const [oldKey = '', newKey = ''] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64'))
  for (const BACKUP_KEY of [oldKey, `${newKey},${oldKey}`]) {
    const settings = { DATABASE_URL: market.connectionString, DATA_DIR: dataDir, BACKUP_KEY }
    expect(await runCommand('backup', [place, '--logical'], settings)).toMatchObject({ code: 0, stderr: '' })
  }
  const database = await bareDatabase()
  const target = { DATABASE_URL: database.connectionString, DATA_DIR: temporaryFolder() }
  const restored = await runCommand('restore', [place], { ...target, BACKUP_KEY: newKey })
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(restored.stdout).toContain('Restored pictures: 1.\n')
  expect(await (await openStore({ DATA_DIR: target.DATA_DIR })).read(picture, 100)).toEqual(bytes)
})

it('fails with a sentence and leaves no backup if the S3 of the pictures is away', async () => {
  const place = temporaryFolder()
  const backup = await runCommand('backup', [place, '--logical'], {
    S3_URL: 'http://S3RVER:S3RVER@127.0.0.1:1/papermoon',
    DATABASE_URL: market.connectionString,
    DATA_DIR: temporaryFolder(),
  })
  expect(backup).toMatchObject({ code: 2, stdout: '' })
  expect(backup.stderr).not.toContain(' at ')
  expect(await runCommand('restore', [place], { DATA_DIR: temporaryFolder() })).toMatchObject({ code: 2 })
})
