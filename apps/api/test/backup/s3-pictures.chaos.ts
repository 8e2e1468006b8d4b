import { createBareDatabase } from '@papermoon/db/testing'
import { createTestMarket } from '@papermoon/engine/testing'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createObjectStore } from '../../src/storage/create-object-store.ts'
import type { ObjectStore } from '../../src/storage/object-store.ts'
import { createPictureName, toPictureUrl } from '../../src/storage/object-store.ts'
import { runCommand } from '../support/run-command.ts'
import { startS3 } from '../support/s3-server.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const openStore = (settings: Record<string, string>): Promise<ObjectStore> =>
  createObjectStore(readConfig(settings), pino({ level: 'silent' }))

it('brings pictures that are kept in S3 back into the bucket of the restoring server', async () => {
  const market = await createTestMarket()
  onTestFinished(() => market.close())
  const s3 = await startS3()
  onTestFinished(() => s3.close())
  const before = await openStore({ S3_URL: s3.toUrl('moon-before') })
  await before.prepare()
  const pictures = Array.from({ length: 3 }, (_, i) => Buffer.from(`picture ${i}`))
  for (const picture of pictures) await before.write(createPictureName(picture), picture, 'image/webp')
  const [used, , alsoUsed] = pictures.map((picture) => createPictureName(picture))
  for (const name of [used, alsoUsed]) {
    await market.db
      .updateTable('users')
      .set({ profile_picture_url: toPictureUrl(name ?? expect.fail()) })
      .where('id', '=', await market.addPlayer())
      .execute()
  }
  const place = temporaryFolder()
  const backup = await runCommand('backup', [place, '--logical'], {
    S3_URL: s3.toUrl('moon-before'),
    DATABASE_URL: market.connectionString,
    DATA_DIR: temporaryFolder(),
  })
  expect(backup).toMatchObject({ code: 0, stderr: '' })
  const database = await createBareDatabase()
  onTestFinished(() => database.drop())
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

it('brings pictures back with the new key alone after a change of the key', async () => {
  const market = await createTestMarket()
  onTestFinished(() => market.close())
  const [place, dataDir] = [temporaryFolder(), temporaryFolder()]
  const bytes = Buffer.from('picture')
  const picture = createPictureName(bytes)
  const objects = await openStore({ DATA_DIR: dataDir })
  await objects.prepare()
  await objects.write(picture, bytes, 'image/webp')
  await market.db
    .updateTable('users')
    .set({ profile_picture_url: toPictureUrl(picture) })
    .where('id', '=', await market.addPlayer())
    .execute()
  const [oldKey = '', newKey = ''] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64'))
  for (const BACKUP_KEY of [oldKey, `${newKey},${oldKey}`]) {
    const settings = { DATABASE_URL: market.connectionString, DATA_DIR: dataDir, BACKUP_KEY }
    expect(await runCommand('backup', [place, '--logical'], settings)).toMatchObject({ code: 0, stderr: '' })
  }
  const database = await createBareDatabase()
  onTestFinished(() => database.drop())
  const target = { DATABASE_URL: database.connectionString, DATA_DIR: temporaryFolder() }
  const restored = await runCommand('restore', [place], { ...target, BACKUP_KEY: newKey })
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(restored.stdout).toContain('Restored pictures: 1.\n')
  expect(await (await openStore({ DATA_DIR: target.DATA_DIR })).read(picture, 100)).toEqual(bytes)
})

it('says that a picture cannot be backed up while its S3 is away, and leaves no backup', async () => {
  const market = await createTestMarket()
  onTestFinished(() => market.close())
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
