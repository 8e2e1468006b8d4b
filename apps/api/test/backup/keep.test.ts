import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { acquireDataDirLock } from '@papermoon/db'
import { createTestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createBackupKeeper } from '../../src/features/backup/backup-keeper.ts'
import { removeOldBackups } from '../../src/features/backup/keep-backups.ts'
import { FolderLocation } from '../../src/features/backup/location.ts'
import {
  createBackupId,
  FORMAT,
  listBackups,
  type Manifest,
  writeManifest,
} from '../../src/features/backup/manifest.ts'
import { chooseBackup, removeLeftovers } from '../../src/features/backup/restore.ts'
import { Vault } from '../../src/features/backup/vault.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const AUDITED = { trades: 1, tokens: 1, players: 1, differences: 0 }
const TEXT = Buffer.from('text')
const picture = (digit: string) => `pictures/${digit.repeat(64)}.webp`

interface Facts {
  readonly verified?: boolean
  /** Number of differences that the audit found. */
  readonly differences?: number
  readonly pictures?: string
  readonly unusedPictures?: string[]
  readonly archive?: string
  readonly lastLog?: string
  readonly files?: Record<string, string[]>
  /** The time of the backup; by default midnight of its day. */
  readonly at?: Date
}

type Moment = Pick<Manifest['position'], 'lsn' | 'at'> & { readonly timeline?: number }

/** Writes the manifest of a base backup, and returns its id. */
async function addManifest(vault: Vault, moment: Moment, more: Partial<Manifest> = {}): Promise<string> {
  const id = createBackupId(moment.at)
  await writeManifest(vault, {
    format: FORMAT,
    id,
    position: { system: '7', timeline: 1, ...moment },
    ...{ bytes: 1, plainBytes: 1, files: {}, migrations: [], tables: [], sequences: [] },
    ...{ pictures: 'pictures', unusedPictures: [], verified: null },
    base: toBase('one'),
    ...more,
  })
  return id
}

const toBase = (archive: string, lastLog = '') => ({ password: 'secret', label: '', archive, lastLog })

/** Adds a backup of a day in January whose log ends with the file `lastLog`. */
async function addBackup(vault: Vault, day: number, facts: Facts = {}): Promise<string> {
  const { verified = true, differences = 0, archive = 'one', lastLog = `A${day}`, ...more } = facts
  const { at = new Date(Date.UTC(2026, 0, day)), ...written } = more
  const audit = verified ? { ...AUDITED, differences } : null
  const id = await addManifest(vault, { lsn: day, at }, { ...written, base: toBase(archive, lastLog), verified: audit })
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

  it('keeps the last exact backups, even if many with differences follow', async () => {
    const vault = openVault()
    const ids = []
    for (const day of [1, 2, 3, 4, 5]) ids.push(await addBackup(vault, day, { differences: day > 3 ? 2 : 0 }))
    expect(await removeOldBackups(vault, 2)).toEqual([ids[0]])
  })

  it('removes pictures that no kept backup uses', async () => {
    const vault = openVault()
    for (const name of ['1', '2', '3']) await vault.write(picture(name), TEXT)
    for (const [day, unused] of [[], ['1', '2'], ['2', '3']].entries()) {
      await addBackup(vault, day + 1, { unusedPictures: unused.map(picture) })
    }
    await removeOldBackups(vault, 2)
    expect(await vault.list('pictures')).toEqual(['1', '3'].map((name) => picture(name).slice('pictures/'.length)))
  })

  it('removes another key’s pictures with the last backup that contains them', async () => {
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

  it('finds the latest backup by its log position if the clock was set back', async () => {
    const vault = openVault()
    const first = await addBackup(vault, 1, { at: new Date(Date.UTC(2026, 5, 1)) })
    const later = await addBackup(vault, 2)
    expect((await listBackups(vault)).backups.map(({ id }) => id)).toEqual([later, first])
    expect(await removeOldBackups(vault, 1)).toEqual([first])
  })

  it('continues if a manifest cannot be read, and keeps that backup', async () => {
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

  it('removes nothing if there are no more backups than it must keep', async () => {
    const vault = openVault()
    const ids = [await addBackup(vault, 1), await addBackup(vault, 2, { verified: false })]
    expect(await removeOldBackups(vault, 1)).toEqual([])
    expect(await vault.location.list('')).toEqual(ids)
  })
})

it.each(['wal/../postgresql.conf', 'wal/A', '../base.tar', 'base.tar/A', 'a/b.copy'])(
  'rejects a backup whose manifest names the file %s',
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

const toTime = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 12, minute))

interface Position {
  readonly lsn: number
  readonly minute: number
  readonly timeline?: number
}

function createStage() {
  const vault = openVault()
  const toMoment = ({ lsn, minute, timeline = 1 }: Position) => ({ timeline, lsn, at: toTime(minute) })
  /** Adds a base backup whose log goes to `archive`, or, without an archive, a logical export. */
  const add = (taken: Position, archive: string | null) =>
    addManifest(vault, toMoment(taken), { base: archive === null ? null : toBase(archive) })
  const reach = (archive: string, reached: Position) =>
    vault.write(`wal/${archive}/reached.json`, Buffer.from(JSON.stringify({ system: '7', ...toMoment(reached) })))
  const said: string[] = []
  const choose = async (at: Date | null = null) => {
    const { manifest, lsn } = await chooseBackup(vault, { id: null, at, say: (line) => void said.push(line) })
    return { id: manifest.id, lsn }
  }
  return { vault, add, reach, choose, said }
}

describe('the backup to restore', () => {
  it('is the one whose log reaches furthest, not the newest', async () => {
    const { add, reach, choose } = createStage()
    await add({ lsn: 10, minute: 0 }, 'one')
    const nearer = await add({ lsn: 20, minute: 10 }, 'one')
    const exported = await add({ lsn: 50, minute: 20 }, null)
    expect((await choose()).id).toBe(exported)
    await reach('one', { lsn: 90, minute: 30 })
    expect(await choose()).toEqual({ id: nearer, lsn: 90 })
    expect(await choose(toTime(25))).toEqual({ id: nearer, lsn: null })
    expect(await choose(toTime(20))).toEqual({ id: exported, lsn: null })
  })

  it('is the furthest by its log if the clock was set back, and the later timeline after a restore', async () => {
    const { add, reach, choose } = createStage()
    await add({ lsn: 10, minute: 40 }, 'one')
    const later = await add({ lsn: 20, minute: 10 }, 'two')
    await reach('one', { lsn: 19, minute: 50 })
    expect(await choose()).toEqual({ id: later, lsn: 20 })
    const restored = await add({ lsn: 5, minute: 5, timeline: 2 }, 'three')
    expect(await choose()).toEqual({ id: restored, lsn: 5 })
  })

  it('is the backup without the archive if the archive’s end cannot be read', async () => {
    const { vault, add, choose, said } = createStage()
    const id = await add({ lsn: 10, minute: 0 }, 'one')
    await vault.write('wal/one/reached.json', Buffer.from('{}'))
    expect(await choose()).toEqual({ id, lsn: 10 })
    expect(said).toEqual(['wal/one/reached.json is damaged.'])
  })
})

it('removes copies that killed processes left, but none that another process audits', async () => {
  const dataDir = temporaryFolder()
  const [left, used, other] = ['aside-0000000a', 'aside-0000000b', 'aside-photos'].map((name) =>
    join(dataDir, name),
  ) as [string, string, string]
  for (const folder of [left, other]) mkdirSync(folder)
  const lock = acquireDataDirLock(used)
  await removeLeftovers(dataDir)
  expect([left, used, other].map((folder) => existsSync(folder))).toEqual([false, true, true])
  lock.release()
  await removeLeftovers(dataDir)
  expect(existsSync(used)).toBe(false)
})

it('drops the replication slot of an earlier version when the server starts, also without BACKUP_TO', async () => {
  const market = await createTestMarket()
  onTestFinished(() => market.close())
  const slots = sql<{ name: string }>`select slot_name as name from pg_replication_slots, pg_database
    where datname = current_database() and slot_name = 'papermoon_backup_' || pg_database.oid`
  await sql`select pg_create_physical_replication_slot('papermoon_backup_' || oid, true)
    from pg_database where datname = current_database()`.execute(market.db)
  expect((await slots.execute(market.db)).rows).toHaveLength(1)
  const config = readConfig({ DATA_DIR: temporaryFolder(), DATABASE_URL: market.connectionString })
  const parts = { config, db: market.db, log: pino({ level: 'silent' }), metrics: new Registry() }
  await createBackupKeeper(parts, { command: '' })(new AbortController().signal)
  expect((await slots.execute(market.db)).rows).toEqual([])
})
