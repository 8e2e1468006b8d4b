import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { removeOldBackups } from '../../src/features/backup/keep-backups.ts'
import { FolderLocation } from '../../src/features/backup/location.ts'
import { createBackupId, FORMAT, listBackups, writeManifest } from '../../src/features/backup/manifest.ts'
import { Vault } from '../../src/features/backup/vault.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const AUDITED = { trades: 1, tokens: 1, players: 1, differences: 0 }
const TEXT = Buffer.from('text')
const picture = (digit: string) => `pictures/${digit.repeat(64)}.webp`

interface Facts {
  readonly verified?: boolean
  /** That the audit found. */
  readonly differences?: number
  readonly pictures?: string
  readonly unusedPictures?: string[]
  readonly archive?: string
  readonly lastLog?: string
  readonly files?: Record<string, string[]>
  /** The clock; by default that of the day. */
  readonly at?: Date
}

/** A backup of a day of January, whose log ends with a file. */
async function addBackup(vault: Vault, day: number, facts: Facts = {}): Promise<string> {
  const {
    verified = true,
    pictures = 'pictures',
    unusedPictures = [],
    archive = 'one',
    lastLog = `A${day}`,
    files = {},
  } = facts
  const { at = new Date(Date.UTC(2026, 0, day)) } = facts
  const position = { system: '7', timeline: 1, lsn: day, at }
  const base = { password: 'secret', label: '', archive, lastLog }
  const database = { bytes: 1, plainBytes: 1, files, migrations: [], base, tables: [], sequences: [] }
  const id = createBackupId(at)
  const audit = verified ? { ...AUDITED, differences: facts.differences ?? 0 } : null
  await writeManifest(vault, { format: FORMAT, id, position, ...database, pictures, unusedPictures, verified: audit })
  await vault.write(`${id}/base.tar.0000`, TEXT)
  return id
}

const openVault = () => new Vault(new FolderLocation(temporaryFolder()), [])

describe('retention', () => {
  it('keeps the newest audited backups, with the log after them', async () => {
    const vault = openVault()
    const ids = []
    for (const day of [1, 2, 3, 4]) {
      ids.push(await addBackup(vault, day, { verified: day !== 4, archive: day === 1 ? 'zero' : 'one' }))
      await vault.write(`wal/one/A${day}`, TEXT)
      await vault.write(`wal/zero/A${day}`, TEXT)
    }
    await vault.write('wal/one/reached.json', TEXT)
    expect(await removeOldBackups(vault, 2)).toEqual([ids[0]])
    expect(await vault.location.list('')).toEqual([...ids.slice(1), 'wal'])
    expect(await vault.location.list('wal')).toEqual(['one'])
    expect(await vault.list('wal/one')).toEqual(['A3', 'A4', 'reached.json'])
    expect((await listBackups(vault)).backups[0]?.id).toBe(ids[3])
  })

  it('keeps the last exact ones, however many with differences follow', async () => {
    const vault = openVault()
    const ids = []
    for (const day of [1, 2, 3, 4, 5]) ids.push(await addBackup(vault, day, { differences: day > 3 ? 2 : 0 }))
    expect(await removeOldBackups(vault, 2)).toEqual([ids[0]])
  })

  it('removes a picture that no kept backup used', async () => {
    const vault = openVault()
    for (const name of ['1', '2', '3']) await vault.write(picture(name), TEXT)
    for (const [day, unused] of [[], ['1', '2'], ['2', '3']].entries()) {
      await addBackup(vault, day + 1, { unusedPictures: unused.map(picture) })
    }
    await removeOldBackups(vault, 2)
    expect(await vault.list('pictures')).toEqual(['1', '3'].map((name) => picture(name).slice('pictures/'.length)))
  })

  it("removes another key's pictures with the last backup that has them", async () => {
    const vault = openVault()
    const [old, none] = ['pictures-0000000a', 'pictures-0000000b']
    for (const folder of ['pictures', old, none]) await vault.write(`${folder}/${'1'.repeat(64)}.webp`, TEXT)
    for (const [day, pictures] of [old, old, 'pictures'].entries()) {
      const unusedPictures = pictures === old ? [] : [picture('1')]
      await addBackup(vault, day + 1, { pictures: pictures ?? '', unusedPictures })
    }
    await removeOldBackups(vault, 2)
    expect(await vault.list(old ?? '')).toEqual([`${'1'.repeat(64)}.webp`])
    expect(await vault.list('pictures')).toEqual([])
    expect(await vault.location.list(none ?? '')).toEqual([])
    await removeOldBackups(vault, 1)
    expect(await vault.location.list(old ?? '')).toEqual([])
  })

  it('knows the latest by the log where the clock was set back', async () => {
    const vault = openVault()
    const first = await addBackup(vault, 1, { at: new Date(Date.UTC(2026, 5, 1)) })
    const later = await addBackup(vault, 2)
    expect((await listBackups(vault)).backups.map(({ id }) => id)).toEqual([later, first])
    expect(await removeOldBackups(vault, 1)).toEqual([first])
  })

  it('goes on beside a manifest that cannot be read, which it keeps', async () => {
    const folder = temporaryFolder()
    const vault = new Vault(new FolderLocation(folder), [])
    const ids = []
    for (const day of [1, 2, 3]) ids.push(await addBackup(vault, day))
    writeFileSync(join(folder, ids[1] ?? '', 'manifest.json.zst'), 'half')
    const { backups, unreadable } = await listBackups(vault)
    expect(backups.map(({ id }) => id)).toEqual([ids[2], ids[0]])
    expect(unreadable.map(({ message }) => message)).toEqual([`${ids[1]}/manifest.json.zst is damaged or was cut off.`])
    expect(await removeOldBackups(vault, 1)).toEqual([ids[0]])
    expect(await vault.location.list('')).toEqual(ids.slice(1))
  })

  it('removes nothing while there are not more than that', async () => {
    const vault = openVault()
    const ids = [await addBackup(vault, 1), await addBackup(vault, 2, { verified: false })]
    expect(await removeOldBackups(vault, 1)).toEqual([])
    expect(await vault.location.list('')).toEqual(ids)
  })
})

it.each(['wal/../postgresql.conf', 'wal/A', '../base.tar', 'base.tar/A', 'a/b.copy'])(
  'takes no backup as one that names the file %s',
  async (file) => {
    const vault = openVault()
    const id = await addBackup(vault, 1, {
      files: { 'base.tar': [], [`wal/${'0A'.repeat(12)}`]: [], 'users.copy': [] },
    })
    expect((await listBackups(vault)).backups).toHaveLength(1)
    await addBackup(vault, 1, { files: { [file]: [] } })
    const { backups, unreadable } = await listBackups(vault)
    expect(backups).toEqual([])
    expect(unreadable.map(({ message }) => message)).toEqual([`${id}/manifest.json is damaged.`])
  },
)
