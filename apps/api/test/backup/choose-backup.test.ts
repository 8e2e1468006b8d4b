import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { acquireDataDirLock } from '@papermoon/db'
import { createTestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createBackupKeeper } from '../../src/features/backup/backup-keeper.ts'
import { FolderLocation } from '../../src/features/backup/location.ts'
import { createBackupId, FORMAT, writeManifest } from '../../src/features/backup/manifest.ts'
import { chooseBackup, removeLeftovers } from '../../src/features/backup/restore.ts'
import { Vault } from '../../src/features/backup/vault.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const toTime = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 12, minute))

interface Position {
  readonly lsn: number
  readonly minute: number
  readonly timeline?: number
}

function createStage() {
  const vault = new Vault(new FolderLocation(temporaryFolder()), [])
  const toPosition = ({ lsn, minute, timeline = 1 }: Position) => ({ system: '7', timeline, lsn, at: toTime(minute) })
  /** A base backup whose log goes to an archive, or an export. */
  const add = async (taken: Position, archive: string | null) => {
    const id = createBackupId(toTime(taken.minute))
    const base = archive === null ? null : { password: '', label: '', lastLog: '', archive }
    const rows = { base, files: {}, tables: [], sequences: [], bytes: 0, plainBytes: 0, migrations: [] }
    const position = toPosition(taken)
    await writeManifest(vault, {
      format: FORMAT,
      id,
      position,
      ...rows,
      pictures: 'pictures',
      unusedPictures: [],
      verified: null,
    })
    return id
  }
  const reach = (archive: string, reached: Position) =>
    vault.write(`wal/${archive}/reached.json`, Buffer.from(JSON.stringify(toPosition(reached))))
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

  it('is the furthest by the log where the clock was set back, and the later history after a restore', async () => {
    const { add, reach, choose } = createStage()
    await add({ lsn: 10, minute: 40 }, 'one')
    const later = await add({ lsn: 20, minute: 10 }, 'two')
    await reach('one', { lsn: 19, minute: 50 })
    expect(await choose()).toEqual({ id: later, lsn: 20 })
    const restored = await add({ lsn: 5, minute: 5, timeline: 2 }, 'three')
    expect(await choose()).toEqual({ id: restored, lsn: 5 })
  })

  it('is one without the archive whose end cannot be read', async () => {
    const { vault, add, choose, said } = createStage()
    const id = await add({ lsn: 10, minute: 0 }, 'one')
    await vault.write('wal/one/reached.json', Buffer.from('{}'))
    expect(await choose()).toEqual({ id, lsn: 10 })
    expect(said).toEqual(['wal/one/reached.json is damaged.'])
  })
})

it('removes copies that killed processes left, but none that another audits', async () => {
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

it('drops the slot of an earlier build as the server starts, also without BACKUP_TO', async () => {
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
