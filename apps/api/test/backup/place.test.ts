import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { skipLacking } from '@papermoon/db/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/config.ts'
import type { BackupPlace } from '../../src/features/backup/place/backup-place.ts'
import { openPlace } from '../../src/features/backup/place/open-place.ts'
import { S3Place } from '../../src/features/backup/place/s3-place.ts'
import { toChunks, Vault } from '../../src/features/backup/place/vault.ts'
import { mountSmallDisk } from '../chaos/support/small-disk.ts'
import { startS3 } from '../support/s3-server.ts'
import { collect, toStream } from './support/bytes.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const open = (text: string, env: Record<string, string> = {}) => openPlace(text, readConfig(env))
const read = async (place: BackupPlace, name: string) => {
  const stream = await place.read(name)
  return stream && (await collect(stream))
}
const listNames = async (place: BackupPlace, prefix: string) => (await place.list(prefix)).map(({ name }) => name)

async function* breakingStream(): AsyncIterable<Buffer> {
  yield randomBytes(100_000)
  throw new Error('the source broke')
}

/** What every place does. */
async function keepFiles(place: BackupPlace): Promise<void> {
  await place.prepare()
  const bytes = randomBytes(300_000)
  await place.write('one/base.tar', toStream(bytes))
  await place.write('one/wal/0001', toStream(Buffer.from('wal')))
  await place.write('two/base.tar', toStream(Buffer.from('first')))
  await place.write('two/base.tar', toStream(Buffer.from('second')))
  expect((await read(place, 'one/base.tar'))?.equals(bytes)).toBe(true)
  expect(String(await read(place, 'two/base.tar'))).toBe('second')
  expect(await read(place, 'one/none')).toBeNull()
  await expect(place.write('one/broken', Readable.from(breakingStream()))).rejects.toThrow('the source broke')
  expect(await listNames(place, 'one/')).toEqual(['one/base.tar', 'one/wal/0001'])
  expect(await listNames(place, '')).toEqual(['one/base.tar', 'one/wal/0001', 'two/base.tar'])
  await place.remove('one/base.tar')
  await place.remove('one/wal/0001')
  await place.remove('one/none')
  expect(await listNames(place, '')).toEqual(['two/base.tar'])
}

describe('a folder of backups', () => {
  it('keeps files, and only whole ones', async () => {
    const folder = join(temporaryFolder(), 'backups')
    await keepFiles(await open(folder))
    expect(readdirSync(folder)).toEqual(['two'])
  })

  it('can be read by its owner alone', async () => {
    const folder = join(temporaryFolder(), 'backups')
    const place = await open(folder)
    await place.prepare()
    await place.write('one/base.tar', toStream(Buffer.from('secret')))
    const readMode = (path: string) => statSync(join(folder, path)).mode & 0o777
    expect([readMode(''), readMode('one'), readMode('one/base.tar')]).toEqual([0o700, 0o700, 0o600])
  })

  it('refuses a file without filling the disk, and leaves nothing of it', async (context) => {
    const disk = mountSmallDisk(300)
    if (disk === null) return skipLacking(context, 'the right to mount a disk (root on Linux)')
    onTestFinished(() => disk.remove())
    const place = await open(join(disk.folder, 'backups'))
    await place.prepare()
    const endless = Readable.from(Array.from({ length: 200 }, () => randomBytes(1_048_576)))
    await expect(place.write('one/base.tar', endless)).rejects.toThrow(/^There is no room left on the disk of /)
    expect(await place.list('')).toEqual([])
    rmSync(join(disk.folder, 'backups'), { recursive: true })
  })

  it('is refused in a plain sentence when it is a file, or an address of something else', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    await expect((await open(file)).prepare()).rejects.toThrow(`${file} is not a folder.`)
    await expect(open('ftp://example.org/backups')).rejects.toThrow(
      'Backups go to a folder or to s3://BUCKET/FOLDER, and ftp://example.org/backups is neither.',
    )
    await expect(open('s3://backups')).rejects.toThrow(/^s3:\/\/backups needs BACKUP_S3_ENDPOINT/)
  })
})

describe('an S3 bucket of backups', () => {
  it('keeps files below its prefix, with keys of its own, and only whole ones', async () => {
    const s3 = await startS3()
    onTestFinished(() => s3.close())
    const { S3_ENDPOINT = '', S3_ACCESS_KEY = '', S3_SECRET_KEY = '' } = s3.env
    const env = {
      BACKUP_S3_ENDPOINT: S3_ENDPOINT,
      BACKUP_S3_ACCESS_KEY: S3_ACCESS_KEY,
      BACKUP_S3_SECRET_KEY: S3_SECRET_KEY,
    }
    await (await open('s3://moon-backups/other', env)).prepare()
    const other = await open('s3://moon-backups/other', env)
    await other.write('theirs', toStream(Buffer.from('theirs')))
    const place = await open('s3://moon-backups/daily', env)
    await keepFiles(place)
    expect(await listNames(other, '')).toEqual(['theirs'])
  })

  it('keeps a file of several parts', async () => {
    const s3 = await startS3()
    onTestFinished(() => s3.close())
    const config = {
      bucket: 'moon-backups',
      region: 'us-east-1',
      endpoint: s3.origin,
      accessKey: 'S3RVER',
      secretKey: 'S3RVER',
    }
    const place = new S3Place({ label: 's3', config, prefix: '', partBytes: 100_000 })
    await place.prepare()
    for (const length of [99_999, 100_000, 250_001]) {
      const bytes = randomBytes(length)
      await place.write('large', toStream(bytes))
      expect((await read(place, 'large'))?.equals(bytes)).toBe(true)
    }
  })

  it('says in a sentence that it cannot be reached', async () => {
    const env = { S3_ENDPOINT: 'http://127.0.0.1:1', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b' }
    const place = await open('s3://moon-backups', env)
    await expect(place.prepare()).rejects.toThrow(/^s3:\/\/moon-backups cannot be used: .+\.$/)
  })
})

describe('a file in a vault', () => {
  const content = Buffer.concat([Buffer.alloc(200_000, 'moon'), randomBytes(200_000)])

  it.each([
    ['compressed', [], 'one/base.tar.zst'],
    ['compressed and encrypted', [randomBytes(32)], 'one/base.tar.zst.sealed'],
  ])('is stored %s and read back', async (_, keys, stored) => {
    const vault = new Vault(await open(temporaryFolder()), keys)
    const file = await vault.write('one/base.tar', toChunks(content))
    expect(file).toMatchObject({ name: stored, plainBytes: content.length })
    expect(file.bytes).toBeLessThan(content.length - 150_000)
    expect((await vault.readAll(stored, file)).equals(content)).toBe(true)
    expect(vault.toPlainName(stored)).toBe('one/base.tar')
  })

  it('is refused when it was cut off, damaged or lost', async () => {
    const folder = temporaryFolder()
    const vault = new Vault(await open(folder), [])
    const file = await vault.write('one/base.tar', toChunks(content))
    await expect(vault.readAll(file.name, { ...file, sha256: 'other' })).rejects.toThrow(/is damaged/)
    truncateSync(join(folder, file.name), file.bytes - 1_000)
    await expect(vault.readAll(file.name, file)).rejects.toThrow(/cut off/)
    await expect(vault.readAll(file.name)).rejects.toThrow(/cut off/)
    await expect(vault.readAll('one/none')).rejects.toThrow(/^one\/none is missing in /)
  })
})
