import { execFileSync } from 'node:child_process'
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '@papermoon/db'
import { findSpool, recoverCluster, takeBaseBackup } from '@papermoon/db/backup'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { auditCopy } from '../../src/commands/backup.ts'
import { LOCK_IDS } from '../../src/database/take-lock.ts'
import { archiveLog } from '../../src/features/backup/archive.ts'
import type { KeeperReport } from '../../src/features/backup/keep-backups.ts'
import { FolderLocation } from '../../src/features/backup/location.ts'
import { verifyAside } from '../../src/features/backup/restore.ts'
import { takeBackup } from '../../src/features/backup/take-backup.ts'
import { Vault } from '../../src/features/backup/vault.ts'
import { openSource, openVault, restoreAndRead, startKeeper } from './support/keeper.ts'
import { createOwnMarket, type OwnMarket } from './support/own-market.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const WAIT = { timeout: 120_000 }

let market: OwnMarket
let player: UserId
let token: TokenId
beforeEach(async () => {
  market = await createOwnMarket()
  player = await market.addPlayer('1000')
  token = await market.launch(player, '1')
})
afterEach(() => market.close())

async function countTrades({ db }: Pick<OwnMarket, 'db'>): Promise<number> {
  return (await db.selectFrom('trades').select('id').execute()).length
}

/**
 * A location that writes trades and checkpoints before it stores the copy of the data folder. PostgreSQL then deletes
 * all log files that are not reserved.
 */
class SlowLocation extends FolderLocation {
  /** The copies in plain text that were in the data folder at that time. */
  readonly copies: string[] = []

  override async write(path: string, bytes: Buffer): Promise<void> {
    if (path.includes('base.tar.0000')) {
      for (let file = 0; file < 8; file++) {
        await market.buy(player, token, '0.01')
        await sql`select pg_switch_wal()`.execute(market.db)
        await sql`checkpoint`.execute(market.db)
      }
      const names = readdirSync(market.dataDir, { recursive: true }).map(String)
      this.copies.push(...names.filter((name) => name.endsWith('.tar')))
    }
    await super.write(path, bytes)
  }
}

it('keeps the log that a long copy needs, and writes no copy to the disk of the market', async () => {
  const location = new SlowLocation(join(temporaryFolder(), 'backups'))
  const vault = new Vault(location, [])
  const { verified } = await takeBackup(openSource(market), vault, {
    isLogical: false,
    signal: new AbortController().signal,
    say: () => {},
    verify: (taken) => verifyAside(vault, taken, market.dataDir, auditCopy),
  })
  expect(verified).toMatchObject({ differences: 0, trades: 9 })
  expect(location.copies).toEqual([])
  const { rows } = await sql`select slot_name from pg_replication_slots`.execute(market.db)
  expect(rows).toEqual([])
})

it('keeps the waiting log while the location rejects it, and stores it first', async () => {
  const to = temporaryFolder()
  const blocked = join(to, 'wal')
  writeFileSync(blocked, '')
  const { reports, ended, close } = startKeeper(market, openVault(to), {
    followsPictures: false,
    tickMs: 50,
    verify: async () => ({ trades: 0, tokens: 0, players: 0, differences: 0 }),
  })
  onTestFinished(async () => {
    await close()
    await ended
  })
  const listFailures = () => reports.filter(({ failed }) => failed === 'archive')
  const listTries = () => reports.filter(({ gauges, failed }) => gauges?.seconds !== undefined || failed === 'backup')
  await vi.waitFor(() => expect(listTries().length).toBeGreaterThan(0), WAIT)
  // The first failed backup is reported with its reason at once, not after an hour.
  expect(listTries()[0]?.fields?.why).toBeUndefined()
  await market.buy(player, token, '0.5')
  const { rows } = await sql<{ name: string }>`select pg_walfile_name(pg_switch_wal()) as name`.execute(market.db)
  const { folder } = findSpool(market.dataDir) ?? expect.fail('there is no spool')
  const listWaiting = () => readdirSync(folder).filter((name) => /^[0-9A-F]{24}$/.test(name))
  await vi.waitFor(() => expect(listWaiting()).toContain(rows[0]?.name), WAIT)
  const waiting = listWaiting()
  const failures = listFailures().length
  await vi.waitFor(() => expect(listFailures().length).toBeGreaterThan(failures + 5), WAIT)
  // None of the failed tries has started a new archive, so the same files still wait.
  expect(listWaiting()).toEqual(waiting)
  const blockedReports = reports.length
  rmSync(blocked)
  const hasReached = ({ gauges }: KeeperReport) => gauges?.reached_timestamp_seconds !== undefined
  await vi.waitFor(() => expect(reports.slice(blockedReports).some(hasReached)).toBe(true), WAIT)
  // It archives twenty files a second instead of one a minute. Restoring that many would take too long here, so stop
  // it.
  await sql`select pg_terminate_backend(pid) from pg_locks where objid = ${LOCK_IDS.backupKeeping}`.execute(market.db)
  await ended
  expect(await restoreAndRead(openVault(to), null, countTrades)).toBe(await countTrades(market))
})

it('starts a new archive if the log went to another location meanwhile', async () => {
  const [one, two] = [temporaryFolder(), temporaryFolder()]
  const archiveTo = async (to: string, keys: readonly Buffer[] = []) => {
    await archiveLog({ vault: openVault(to, keys), ...openSource(market) })
    return findSpool(market.dataDir)?.id
  }
  const first = await archiveTo(one)
  expect(await archiveTo(one)).toBe(first)
  const second = await archiveTo(two)
  expect(second).not.toBe(first)
  const third = await archiveTo(one)
  expect(third).not.toBe(first)
  // Put back an older copy of the archive's end, as restoring the location from a copy would.
  const end = join(one, 'wal', third ?? '', 'reached.json.zst')
  const older = readFileSync(end)
  expect(await archiveTo(one)).toBe(third)
  writeFileSync(end, older)
  const fourth = await archiveTo(one)
  expect(fourth).not.toBe(third)
  // Remove the archive, as if its disk was not mounted.
  rmSync(join(one, 'wal'), { recursive: true })
  const fifth = await archiveTo(one)
  expect(fifth).not.toBe(fourth)
  // With another key, the files of one archive could not all be read.
  expect(await archiveTo(one, [Buffer.alloc(32, 1)])).not.toBe(fifth)
})

it('runs no command and follows no link that a backup contains', async () => {
  const folder = temporaryFolder()
  const [unpacked, evil, tar] = ['unpacked', 'evil', 'base.tar'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(unpacked)
  const log: { name: string; bytes: Buffer }[] = []
  const { address } = market
  if (!('password' in address)) expect.fail()
  const { mark, label } = await takeBaseBackup(address, market.dataDir, {
    writeTar: (content) => writeFile(tar, content),
    writeLog: async (name, bytes) => void log.push({ name, bytes }),
  })
  execFileSync('tar', ['-xf', tar, '-C', unpacked])
  const command = `touch ${evil}`
  const settings = `recovery_end_command = '${command}'\narchive_cleanup_command = '${command}'\nlocal_preload_libraries = 'none'\n`
  for (const name of ['postgresql.conf', 'postgresql.auto.conf']) writeFileSync(join(unpacked, name), settings)
  writeFileSync(join(unpacked, 'pg_hba.conf'), 'local all all trust\n')
  writeFileSync(join(unpacked, 'standby.signal'), '')
  execFileSync('ln', ['-s', folder, join(unpacked, 'pg_tblspc', '16999')])
  writeFileSync(join(unpacked, 'tablespace_map'), `16999 ${folder}\n`)
  execFileSync('tar', ['-cf', tar, '-C', unpacked, '.'])
  const restored = join(temporaryFolder(), 'restored')
  const postgres = await recoverCluster(restored, {
    tar: createReadStream(tar),
    label,
    password: address.password,
    until: { lsn: mark.lsn },
    log: (async function* () {
      yield* log
    })(),
  })
  onTestFinished(() => postgres.stop())
  const database = connect(postgres.address, { poolMax: 1 })
  onTestFinished(() => database.close())
  expect(await countTrades(database)).toBe(1)
  expect(existsSync(evil)).toBe(false)
  const data = join(restored, 'postgres', 'data')
  expect(readFileSync(join(data, 'postgresql.auto.conf'), 'utf8')).toBe('')
  expect(readFileSync(join(data, 'pg_hba.conf'), 'utf8')).not.toContain('trust')
  expect(readdirSync(join(data, 'pg_tblspc'))).toEqual([])
})
