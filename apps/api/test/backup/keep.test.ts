import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { formatSegmentName, parseLsn } from '@papermoon/db/backup'
import { describe, expect, it } from 'vitest'
import { removeOldBackups } from '../../src/features/backup/keep/retention.ts'
import { WalArchive } from '../../src/features/backup/keep/wal-archive.ts'
import { createBackupId, FORMAT, writeManifest } from '../../src/features/backup/manifest.ts'
import { FolderPlace } from '../../src/features/backup/place/folder-place.ts'
import { toChunks, Vault } from '../../src/features/backup/place/vault.ts'
import { chooseBackup, readReached } from '../../src/features/backup/restore/choose-backup.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const day = (date: number) => new Date(Date.UTC(2026, 0, date))
const SEGMENT = 1_048_576
const AUDITED = { trades: 1, tokens: 1, players: 1, differences: 0 }
const picture = (digit: string) => `pictures/${digit.repeat(64)}.webp`

function newVault(): { readonly vault: Vault; readonly folder: string } {
  const folder = temporaryFolder()
  return { folder, vault: new Vault(new FolderPlace(folder), []) }
}

/** The manifest of a backup that ended at WAL position 0/100100, and its file of pictures. */
async function addBackup(vault: Vault, at: Date, { used = '', verified = true } = {}): Promise<string> {
  const id = createBackupId(at)
  const { plainBytes, ...pictures } = await vault.write(`${id}/pictures.txt`, toChunks(used))
  const base = await vault.write(`${id}/base.tar`, toChunks('base'))
  await writeManifest(vault, id, {
    format: FORMAT,
    kind: 'physical',
    at,
    startedAt: at,
    migrations: [],
    plainBytes,
    pictures,
    verified: verified ? AUDITED : null,
    postgres: 18,
    systemId: '1',
    timeline: 1,
    segmentBytes: SEGMENT,
    start: '0/100000',
    end: '0/100100',
    isEmbedded: true,
    role: 'papermoon',
    database: 'postgres',
    base,
    password: null,
  })
  return id
}

const listFolders = async ({ place }: Vault) =>
  [...new Set((await place.list('')).map(({ name }) => name.split('/')[0]))].sort()

describe('retention', () => {
  it('keeps the newest audited backups and the pictures of what is kept', async () => {
    const { vault, folder } = newVault()
    const ids = []
    for (const date of [1, 2, 3, 4]) {
      ids.push(await addBackup(vault, day(date), { used: picture(String(date)), verified: date !== 4 }))
      await vault.write(picture(String(date)), toChunks('x'), { isCompressed: false })
      utimesSync(join(folder, picture(String(date))), day(date), day(date))
    }
    expect(await removeOldBackups(vault, 2)).toEqual([ids[0]])
    expect(await listFolders(vault)).toEqual([...ids.slice(1), 'pictures'])
    expect((await vault.place.list('pictures/')).map(({ name }) => name)).toEqual(['2', '3', '4'].map(picture))
  })

  it('removes nothing while there are not more than that', async () => {
    const { vault } = newVault()
    const ids = [await addBackup(vault, day(1)), await addBackup(vault, day(2), { verified: false })]
    expect(await removeOldBackups(vault, 1)).toEqual([])
    expect(await listFolders(vault)).toEqual(ids)
  })
})

describe('an archive of WAL', () => {
  const from = parseLsn('0/100000')
  const open = (vault: Vault) => {
    const stored: bigint[] = []
    return {
      stored,
      archive: new WalArchive(vault, { timeline: 1, segmentBytes: SEGMENT, from, onStored: (end) => stored.push(end) }),
    }
  }

  it('stores whole segments, and the begun one when it is to reach a moment', async () => {
    const { vault } = newVault()
    const id = await addBackup(vault, day(1))
    const { archive, stored } = open(vault)
    await archive.follow(id)
    const bytes = Buffer.from(Array.from({ length: SEGMENT + 1_000 }, (_, i) => i % 251))
    await archive.append({ start: from, data: bytes.subarray(0, 500_000) })
    await archive.reach(day(2))
    const partial = await chooseBackup(vault, { id: null, at: null })
    const [name = ''] = partial.wal?.names ?? []
    expect(name).toBe(formatSegmentName(1, from, SEGMENT))
    expect(
      (await partial.wal?.read(name))?.equals(
        Buffer.concat([bytes.subarray(0, 500_000), Buffer.alloc(SEGMENT - 500_000)]),
      ),
    ).toBe(true)
    expect(stored).toEqual([])
    await archive.append({ start: from + 500_000n, data: bytes.subarray(500_000) })
    expect(stored).toEqual([from + BigInt(SEGMENT)])
    await archive.reach(day(3))
    const whole = await chooseBackup(vault, { id: null, at: null })
    expect(whole.wal?.names).toHaveLength(2)
    expect((await whole.wal?.read(name))?.equals(bytes.subarray(0, SEGMENT))).toBe(true)
    expect(await readReached(vault, id)).toEqual({ at: day(3), lsn: '0/2003E8' })
  })

  it('refuses WAL that does not follow', async () => {
    const { archive } = open(newVault().vault)
    await expect(archive.append({ start: from + 1n, data: Buffer.alloc(10) })).rejects.toThrow('does not follow')
  })

  it('follows the old backup and the new one until the new one is complete', async () => {
    const { vault } = newVault()
    const [old, young] = [await addBackup(vault, day(1)), await addBackup(vault, day(3))]
    const { archive } = open(vault)
    await archive.follow(old)
    await archive.append({ start: from, data: Buffer.alloc(SEGMENT) })
    await archive.follow(young)
    await archive.append({ start: from + BigInt(SEGMENT), data: Buffer.alloc(SEGMENT) })
    await archive.reach(day(3))
    await archive.unfollow(old)
    await archive.append({ start: from + 2n * BigInt(SEGMENT), data: Buffer.alloc(SEGMENT) })
    const count = async (id: string) => (await vault.place.list(`${id}/wal/0`)).length
    expect([await count(old), await count(young)]).toEqual([2, 2])
  })
})

describe('the choice of a backup', () => {
  it('is the newest that holds the moment; a moment that WAL is missing for is refused', async () => {
    const { vault } = newVault()
    const [first, second] = [await addBackup(vault, day(1)), await addBackup(vault, day(3))]
    const reach = (id: string, at: Date, lsn: string) =>
      vault.writeJson(`${id}/wal/reached.json`, { at: at.toISOString(), lsn })
    await reach(first, new Date(day(3).getTime() + 1_000), '0/100000')
    await reach(second, day(5), '0/300000')
    const choose = async (at: Date | null) => (await chooseBackup(vault, { id: null, at })).backup.id
    expect(await choose(day(2))).toBe(first)
    expect(await choose(day(3))).toBe(second)
    expect(await choose(day(4))).toBe(second)
    await expect(choose(day(6))).rejects.toThrow(`the last moment before it is ${day(5).toISOString()}.`)
    await expect(choose(null)).rejects.toThrow(/^The WAL file 000000010000000000000001 is missing; /)
  })
})
