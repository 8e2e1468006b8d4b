import { describe, expect, it } from 'vitest'
import { removeOldBackups } from '../../src/features/backup/keep-backups.ts'
import { createBackupId, FORMAT, findNewestBackup, writeManifest } from '../../src/features/backup/manifest.ts'
import { FolderPlace } from '../../src/features/backup/place.ts'
import { Vault } from '../../src/features/backup/vault.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const AUDITED = { trades: 1, tokens: 1, players: 1, differences: 0 }
const TEXT = Buffer.from('text')
const picture = (digit: string) => `pictures/${digit.repeat(64)}.webp`

interface Facts {
  readonly verified?: boolean
  readonly unusedPictures?: string[]
  readonly archive?: string
  readonly firstLog?: string
}

/** A backup of a day of January, whose log begins with a file. */
async function addBackup(vault: Vault, day: number, facts: Facts = {}): Promise<string> {
  const at = new Date(Date.UTC(2026, 0, day))
  const { verified = true, unusedPictures = [], archive = 'one', firstLog = `A${day}` } = facts
  const base = { parts: 1, password: 'secret', archive, firstLog }
  const database = { bytes: 1, plainBytes: 1, migrations: [], base, tables: [], sequences: [] }
  const id = createBackupId(at)
  const manifest = { format: FORMAT, at, ...database, unusedPictures, verified: verified ? AUDITED : null } as const
  await writeManifest(vault, { id, manifest })
  await vault.write(`${id}/base.tar.0000`, TEXT)
  return id
}

const openVault = () => new Vault(new FolderPlace(temporaryFolder()), [])

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
    expect(await vault.list('')).toEqual([...ids.slice(1), 'wal'])
    expect(await vault.list('wal')).toEqual(['one'])
    expect(await vault.list('wal/one')).toEqual(['A2', 'A3', 'A4', 'reached.json'])
    expect((await findNewestBackup(vault))?.id).toBe(ids[3])
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

  it('removes nothing while there are not more than that', async () => {
    const vault = openVault()
    const ids = [await addBackup(vault, 1), await addBackup(vault, 2, { verified: false })]
    expect(await removeOldBackups(vault, 1)).toEqual([])
    expect(await vault.list('')).toEqual(ids)
  })
})
