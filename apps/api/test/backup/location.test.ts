import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { skipLacking } from '@papermoon/db/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { type BackupLocation, FolderLocation, openLocation } from '../../src/features/backup/location.ts'
import { PART_BYTES, Vault } from '../../src/features/backup/vault.ts'
import { mountSmallDisk } from '../chaos/support/small-disk.ts'
import { startS3 } from '../support/s3-server.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const open = (text: string, env: Record<string, string> = {}) => openLocation(text, readConfig(env))

/** Checks that apply to every location. */
async function keepFiles(location: BackupLocation): Promise<void> {
  await location.prepare()
  const bytes = randomBytes(300_000)
  await location.write('one/base.tar', bytes)
  await location.write('one/wal/0001', Buffer.from('wal'))
  await location.write('two/base.tar', Buffer.from('first'))
  await location.write('two/base.tar', Buffer.from('second'))
  expect((await location.read('one/base.tar'))?.equals(bytes)).toBe(true)
  expect(String(await location.read('two/base.tar'))).toBe('second')
  expect(await location.read('one/none')).toBeNull()
  expect(await location.list('none')).toEqual([])
  expect(await location.list('one')).toEqual(['base.tar', 'wal'])
  expect(await location.list('')).toEqual(['one', 'two'])
  await location.remove('one/base.tar')
  expect(await location.list('one')).toEqual(['wal'])
  await location.remove('one')
  await location.remove('none')
  expect(await location.list('')).toEqual(['two'])
}

describe('a folder of backups', () => {
  it('keeps files, and lists only complete ones', async () => {
    const folder = join(temporaryFolder(), 'backups')
    const location = await open(folder)
    await keepFiles(location)
    // A process that is killed during a write leaves a file like this.
    writeFileSync(join(folder, 'two/half.draft'), '')
    expect(await location.list('two')).toEqual(['base.tar'])
  })

  it('can be read by its owner alone', async () => {
    const folder = join(temporaryFolder(), 'backups')
    const location = await open(folder)
    await location.prepare()
    await location.write('one/base.tar', Buffer.from('secret'))
    const readMode = (path: string) => statSync(join(folder, path)).mode & 0o777
    expect([readMode(''), readMode('one'), readMode('one/base.tar')]).toEqual([0o700, 0o700, 0o600])
  })

  it('fails with a plain sentence if it hangs', async () => {
    const folder = temporaryFolder()
    const pipe = join(folder, 'base.tar.draft')
    // Nobody reads the pipe, so a write to it hangs.
    execFileSync('mkfifo', [pipe])
    const written = new FolderLocation(folder, 300).write('base.tar', Buffer.from('tar'))
    await expect(written).rejects.toThrow(`The folder ${folder} does not respond.`)
    expect(String(await readFile(pipe))).toBe('tar')
  })

  it('fails on a full disk before it is filled, and leaves no part of the file', {
    tags: 'nightly',
  }, async (context) => {
    const disk = mountSmallDisk(300)
    if (disk === null) return skipLacking(context, 'the right to mount a disk (root on Linux)')
    onTestFinished(() => disk.remove())
    const location = await open(join(disk.folder, 'backups'))
    await location.prepare()
    const vault = new Vault(location, [])
    const endless = (async function* () {
      for (;;) yield randomBytes(1_048_576)
    })()
    await expect(vault.writeParts('one/base.tar', endless)).rejects.toThrow(/^The disk of \S+ is full /)
    const { bavail, bsize } = statfsSync(disk.folder)
    expect(bavail * bsize).toBeGreaterThan(250 * 1_048_576)
    rmSync(join(disk.folder, 'backups'), { recursive: true })
  })

  it('is rejected with a plain sentence if it is a file or a URL of another kind', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    await expect((await open(file)).prepare()).rejects.toThrow(`${file} is not a folder.`)
    await expect(open('ftp://example.org/backups')).rejects.toThrow(
      'Backups go to a folder or to s3://BUCKET/FOLDER, and ftp://example.org/backups is neither.',
    )
    await expect(open('s3://backups')).rejects.toThrow(/^s3:\/\/backups needs BACKUP_S3_URL/)
  })
})

describe('an S3 bucket of backups', () => {
  it('keeps files below its prefix, encrypted with its own keys', async () => {
    const s3 = await startS3()
    onTestFinished(() => s3.close())
    const env = { BACKUP_S3_URL: s3.toUrl('') }
    const other = await open('s3://moon-backups/other', env)
    await other.prepare()
    await other.write('theirs', Buffer.from('theirs'))
    await keepFiles(await open('s3://moon-backups/daily', env))
    expect(await other.list('')).toEqual(['theirs'])
  })

  it('fails with a sentence if it cannot be reached', async () => {
    const env = { S3_URL: 'http://a:b@127.0.0.1:1/moon' }
    const location = await open('s3://moon-backups', env)
    await expect(location.prepare()).rejects.toThrow(/^s3:\/\/moon-backups cannot be used: .+\.$/)
  })
})

describe('a file in a vault', () => {
  const content = Buffer.concat([Buffer.alloc(200_000, 'moon'), randomBytes(200_000)])
  const [key, otherKey] = [randomBytes(32), randomBytes(32)]

  it.each([
    ['compressed', [], 'base.tar.zst'],
    ['compressed, then encrypted', [key], 'base.tar.zst.age'],
  ])('is stored %s and read back', async (_, keys, stored) => {
    const folder = temporaryFolder()
    const vault = new Vault(await open(folder), keys)
    const { bytes } = await vault.write('one/base.tar', content)
    expect(bytes).toBeLessThan(content.length - 150_000)
    expect(readdirSync(join(folder, 'one'))).toEqual([stored])
    expect((await vault.read('one/base.tar')).equals(content)).toBe(true)
    expect(await vault.list('one')).toEqual(['base.tar'])
  })

  it('shows nothing of its content, differs each time, and has the format of age', async () => {
    const folder = temporaryFolder()
    const vault = new Vault(await open(folder), [key])
    for (const name of ['one', 'two']) await vault.write(name, randomBytes(10).fill('moonlight'))
    const [one, two] = ['one', 'two'].map((name) => readFileSync(join(folder, `${name}.zst.age`)))
    expect(one?.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n-> scrypt /)
    expect(one?.includes('moonlight')).toBe(false)
    expect(two?.equals(one ?? Buffer.alloc(0))).toBe(false)
  })

  it('opens with any key of a list, and the error says whether the key is missing or wrong', async () => {
    const location = await open(temporaryFolder())
    await new Vault(location, [key]).write('one', content)
    expect((await new Vault(location, [otherKey, key]).read('one')).equals(content)).toBe(true)
    await expect(new Vault(location, [otherKey]).read('one')).rejects.toThrow(
      'The backup was encrypted with another key than BACKUP_KEY.',
    )
    await expect(new Vault(location, []).read('one')).rejects.toThrow(
      'The backup is encrypted: set BACKUP_KEY to its key.',
    )
  })

  it('is read back in order if it has several parts', { tags: 'nightly' }, async () => {
    const vault = new Vault(await open(temporaryFolder()), [])
    const bytes = randomBytes(PART_BYTES + 3_000_000)
    const pieces = (async function* () {
      for (let at = 0; at < bytes.length; at += 700_000) yield bytes.subarray(at, at + 700_000)
    })()
    const stored = await vault.writeParts('base.tar', pieces)
    expect(stored).toMatchObject({ sha256s: [expect.any(String), expect.any(String)], plainBytes: bytes.length })
    const read = []
    for await (const part of vault.readParts('base.tar', stored.sha256s)) read.push(part)
    expect(Buffer.concat(read).equals(bytes)).toBe(true)
    // This part is a complete file, but not the one that was stored.
    await vault.write('base.tar.0001', Buffer.from('exchanged'))
    const readAll = async () => {
      for await (const part of vault.readParts('base.tar', stored.sha256s)) read.push(part)
    }
    await expect(readAll).rejects.toThrow('base.tar.0001.zst is damaged or was cut off.')
  })

  it('is rejected without encryption if there is a key, and cannot be shared', async () => {
    const folder = temporaryFolder()
    await new Vault(await open(folder), []).write('one', content)
    const vault = new Vault(await open(folder), [key])
    await expect(vault.read('one')).rejects.toThrow('one.zst is not encrypted; it is read only without BACKUP_KEY.')
    expect(await vault.list('')).toEqual([])
  })

  it.each([
    ['', []],
    ['encrypted and ', [key]],
  ])('is refused by name when it is %scut off, changed or lost', async (_, keys) => {
    const folder = temporaryFolder()
    const vault = new Vault(await open(folder), keys)
    await vault.write('one', content)
    const [file = ''] = readdirSync(folder)
    const path = join(folder, file)
    const whole = readFileSync(path)
    const damaged = `${file} is damaged or was cut off.`
    for (const length of [0, 10, 100, 65_536, whole.length - 1]) {
      writeFileSync(path, whole)
      truncateSync(path, length)
      await expect(vault.read('one')).rejects.toThrow(damaged)
    }
    const changed = Buffer.from(whole)
    changed.writeUInt8(changed.readUInt8(whole.length - 1_000) ^ 1, whole.length - 1_000)
    writeFileSync(path, changed)
    await expect(vault.read('one')).rejects.toThrow(damaged)
    rmSync(path)
    await expect(vault.read('one')).rejects.toThrow(`one is missing in ${folder}.`)
  })
})
