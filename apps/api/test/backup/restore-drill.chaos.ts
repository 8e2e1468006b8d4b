import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseClient } from '@papermoon/db'
import { connect, startEmbedded } from '@papermoon/db'
import { skipLacking } from '@papermoon/db/testing'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { auditCopy } from '../../src/commands/backup.ts'
import type { KeeperReport } from '../../src/features/backup/keep-backups.ts'
import { listBackups, type Manifest } from '../../src/features/backup/manifest.ts'
import { restoreBackup } from '../../src/features/backup/restore.ts'
import { createPictureName, toPictureUrl } from '../../src/storage/object-store.ts'
import { mountSmallDisk } from '../chaos/support/small-disk.ts'
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts'
import { runProgram } from '../support/run-command.ts'
import { openPictures, openVault, readClock, startKeeper, TAKEN } from './support/keeper.ts'
import { createOwnMarket, type OwnMarket } from './support/own-market.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const WAIT = { timeout: 240_000 }
const KEY = Buffer.alloc(32, 3)

let market: OwnMarket
let folder: string
let player: UserId
let token: TokenId
let id: string
/** The state of the market between two trades, and its time. */
let middle: { readonly at: Date; readonly state: unknown }
let last: unknown
/** The log file that contains the last trade, or the file after it. */
let lastFile: string
/** The error with which the keeper ended. */
let failure: unknown
let reports: readonly KeeperReport[]
const pictures = ['before', 'after'].map((text) => Buffer.from(text))

/** Returns all data that a restore must reproduce exactly. */
async function readState({ db }: Pick<DatabaseClient, 'db'>): Promise<unknown> {
  const { rows } = await sql`
    select (select json_agg(t order by id) from (select id, seq, user_id, sol_amount, token_amount, spot_price from trades) t) as trades,
      (select json_agg(a order by user_id) from (select user_id, sol_balance, realized_pnl from accounts) a) as accounts,
      (select json_agg(profile_picture_url order by id) from users) as pictures`.execute(db)
  return rows[0]
}

async function trade(times: number): Promise<void> {
  for (let i = 0; i < times; i++) await market.buy(player, token, `0.0${1 + (i % 9)}`)
}

async function usePicture(bytes: Buffer): Promise<void> {
  const name = createPictureName(bytes)
  await openPictures(market.dataDir).write(name, bytes)
  await market.db
    .updateTable('users')
    .set({ profile_picture_url: toPictureUrl(name) })
    .where('id', '=', player)
    .execute()
}

const readLogFile = async (): Promise<string> => {
  const { rows } = await sql<{ name: string }>`select pg_walfile_name(pg_current_wal_insert_lsn()) as name`.execute(
    market.db,
  )
  return rows[0]?.name ?? ''
}

/** Waits until the archive contains everything up to now. */
async function untilReached(): Promise<void> {
  const now = await readClock(market)
  await vi.waitFor(() => {
    expect(failure).toBeUndefined()
    expect(reports.some(({ gauges }) => (gauges?.reached_timestamp_seconds ?? 0) * 1_000 > now.getTime())).toBe(true)
  }, WAIT)
}

async function findNewest(from: string): Promise<Manifest> {
  const { backups } = await listBackups(openVault(from, [KEY]))
  return backups[0] ?? expect.fail('there is no backup')
}

/** Takes a backup, makes trades, notes the moment `middle`, makes more trades, and deletes the market. */
beforeAll(async () => {
  folder = makeDataFolder()
  market = await createOwnMarket()
  player = await market.addPlayer('1000')
  token = await market.launch(player, '1')
  await trade(30)
  await usePicture(pictures[0] as Buffer)
  const keeper = startKeeper(market, openVault(folder, [KEY]))
  reports = keeper.reports
  keeper.ended.then((error) => {
    failure = error
  })
  await vi.waitFor(() => expect(reports.map(({ message }) => message)).toContain(TAKEN), WAIT)
  await trade(20)
  await usePicture(pictures[1] as Buffer)
  // Read PostgreSQL's clock, not this machine's, because a restore uses the commit times of PostgreSQL.
  await sleep(20)
  middle = { at: await readClock(market), state: await readState(market) }
  await sleep(20)
  // The trades must span more than one WAL file.
  await sql`select pg_switch_wal()`.execute(market.db)
  await trade(20)
  last = await readState(market)
  lastFile = await readLogFile()
  await untilReached()
  id = (await findNewest(folder)).id
  await market.close()
  await keeper.ended
  await keeper.close()
}, 900_000)
afterAll(() => removeDataFolder(folder))

function restore(args: readonly string[]) {
  const dataDir = join(temporaryFolder(), 'restored')
  return { dataDir, end: runProgram(['restore', ...args], { DATA_DIR: dataDir, BACKUP_KEY: KEY.toString('base64') }) }
}

interface Refused {
  readonly from?: string
  readonly at?: string
  readonly dataDir?: string
}

/** Returns the error message of a restore that fails. */
async function getRefusal({
  from = folder,
  at,
  dataDir = join(temporaryFolder(), 'restored'),
}: Refused): Promise<string> {
  const refused = await restoreBackup(openVault(from, [KEY]), {
    config: { dataDir, databaseUrl: null },
    id: null,
    at: at === undefined ? null : new Date(at),
    openObjects: async (place) => openPictures(place),
    audit: auditCopy,
    say: () => {},
  }).catch((error: unknown) => error)
  return refused instanceof Error ? refused.message : 'it was not refused'
}

/** Reads the market from a restored data folder, which `npm start` would use. */
async function readRestored(dataDir: string): Promise<unknown> {
  const postgres = await startEmbedded({ dataDir })
  const database = connect(postgres.address, { poolMax: 1 })
  try {
    return await readState(database)
  } finally {
    await database.close()
    await postgres.stop()
  }
}

/** Returns a copy of the backups that a test can damage. */
function copyBackups(): string {
  const copy = join(temporaryFolder(), 'backups')
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true })
  return copy
}

describe('a backup of a running market', () => {
  it('is restored to a separate folder and audited before it counts', async () => {
    const taken = reports.find(({ message }) => message === TAKEN)
    expect(taken).toMatchObject({ fields: { id, differences: 0 } })
    expect((await findNewest(folder)).verified).toEqual({ trades: 31, tokens: 1, players: 1, differences: 0 })
  })

  it('can be read by its owner alone', () => {
    const modes = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
      return [entry.isDirectory(), statSync(join(entry.parentPath, entry.name)).mode & 0o077]
    })
    expect(modes.every(([, others]) => others === 0)).toBe(true)
  })
})

describe('a restore', () => {
  it('restores a moment between two trades exactly, with the pictures of that time, and then starts normally', async () => {
    const { dataDir, end } = restore([folder, '--at', middle.at.toISOString()])
    const { code, stdout, stderr } = await end
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/audit: 1 token, 51 trades, 1 player: every sum is exact/)
    expect(await readRestored(dataDir)).toEqual(middle.state)
    const [, after] = pictures.map((bytes) => join(dataDir, 'objects', createPictureName(bytes)))
    expect(readFileSync(after ?? '', 'utf8')).toBe('after')
  })

  it('restores the last trade if no moment is given', async () => {
    const { dataDir, end } = restore([folder])
    expect(await end).toMatchObject({ code: 0, stderr: '' })
    expect(await readRestored(dataDir)).toEqual(last)
  })

  it('rejects a moment before the oldest backup, and one in the future', async () => {
    expect(await getRefusal({ at: '2026-01-01T00:00:00Z' })).toMatch(
      /^2026-01-01T00:00:00.000Z is before the oldest backup, which holds \S+\.$/,
    )
    expect(await getRefusal({ at: '2999-01-01T00:00:00Z' })).toMatch(
      /^2999-01-01T00:00:00.000Z is later than what the backups hold: .+\.$/,
    )
    expect(await restore([folder, '--at', 'yesterday']).end).toEqual({
      code: 2,
      stdout: '',
      stderr: 'yesterday is not a time. Write it as 2026-01-31T12:30:00Z.\n',
    })
  })

  it('rejects a folder that is not empty, and one without backups', async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, 'postgres'))
    expect(await getRefusal({ dataDir })).toBe(
      `The data folder ${dataDir} is not empty (there is postgres); set DATA_DIR to an empty or new folder.`,
    )
    expect(await getRefusal({ from: dataDir })).toBe(`There is no complete backup in ${dataDir}.`)
  })

  it('rejects a disk without enough space', async (context) => {
    const disk = mountSmallDisk(100)
    if (disk === null) return skipLacking(context, 'the right to mount a disk (root on Linux)')
    onTestFinished(() => disk.remove())
    expect(await getRefusal({ dataDir: disk.folder })).toMatch(
      /^The disk of \S+ has \d+ MB too little free space for this backup\.$/,
    )
  })

  it('rejects a backup of a newer version', async () => {
    const from = copyBackups()
    const vault = openVault(from, [KEY])
    const name = `${id}/manifest.json`
    const manifest = JSON.parse(String(await vault.read(name)))
    const change = (fields: object) => vault.write(name, Buffer.from(JSON.stringify({ ...manifest, ...fields })))
    await change({ format: 4 })
    expect(await getRefusal({ from })).toBe(
      `The backup ${id} was made by another version of Papermoon; restore it with that one.`,
    )
    await change({ migrations: [...manifest.migrations, '9999-to-come'] })
    expect(await getRefusal({ from })).toMatch(/^The database was made by a newer Papermoon .+9999-to-come/)
    await change({ tables: null })
    expect(await getRefusal({ from })).toBe(`${name} is damaged.`)
  })

  it('rejects a truncated or changed backup, and leaves no database', async () => {
    const from = copyBackups()
    const base = join(from, id, 'base.tar.0000.zst.age')
    truncateSync(base, statSync(base).size - 10_000)
    const dataDir = join(temporaryFolder(), 'restored')
    expect(await getRefusal({ from, dataDir })).toBe(`${id}/base.tar.0000.zst.age is damaged or was cut off.`)
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    await expect(startEmbedded({ dataDir })).rejects.toThrow(
      /^A restore into .+ was not finished; run it again, or delete /,
    )
  })

  it('names the log file that is damaged or missing', async () => {
    const from = copyBackups()
    const [archive = ''] = readdirSync(join(from, 'wal'))
    const file = join(from, 'wal', archive, `${lastFile}.zst.age`)
    truncateSync(file, 100)
    expect(await getRefusal({ from })).toBe(`wal/${archive}/${lastFile}.zst.age is damaged or was cut off.`)
    rmSync(file)
    expect(await getRefusal({ from })).toBe(
      `The log file ${lastFile} is missing. Restore to an earlier time with --at.`,
    )
    const { position } = await findNewest(from)
    const before = new Date(position.at.getTime() + 1).toISOString()
    const { code, stdout } = await restore([from, '--at', before]).end
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('31 trades') })
  })
})
