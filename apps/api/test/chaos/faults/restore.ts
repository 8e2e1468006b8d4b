import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type DatabaseClient, migrateToLatest, startEmbedded } from '@papermoon/db'
import { sql } from 'kysely'
import { fillMarket } from '../../support/bulk-market.ts'
import { makeDataFolder, removeDataFolder } from '../../support/data-folder.ts'
import { runProgram } from '../../support/run-command.ts'
import { startKillableServer } from '../support/killable-server.ts'
import { type Load, startLoad } from '../support/load.ts'
import { readMetrics } from '../support/server-figures.ts'
import type { Fault } from './fault.ts'
import { newMarket } from './support/market-of-players.ts'

const FILLED = { players: 1_000, tokens: 200 }
const TRADES = 1_000_000
const TRADES_QUICK = 5_000
const MEASURED_MS = 10_000
const TAKEN_WITHIN_MS = 1_800_000
const LOOK_EVERY_MS = 500

interface Drill {
  /** Orders a second without a backup, and while one is taken and audited; the WAL is archived in both. */
  readonly alone: number
  readonly beside: number
  readonly backupSeconds: number
  readonly restoreSeconds: number
  readonly trades: number
}

/** A digest of every trade, balance and pool. */
async function readDigest({ db }: DatabaseClient): Promise<{ digest: string; trades: number; at: Date }> {
  const { rows } = await sql<{ digest: string; trades: number; at: Date }>`
    select clock_timestamp() as at, (select count(*)::int from trades) as trades,
      md5((select string_agg(md5(t::text), '' order by id) from trades t)
        || (select string_agg(a::text, '' order by user_id) from accounts a)
        || (select string_agg(p::text, '' order by token_id) from pools p)) as digest`.execute(db)
  assert(rows[0])
  return rows[0]
}

async function fill(dataDir: string, trades: number): Promise<void> {
  const postgres = await startEmbedded({ dataDir })
  const database = connect(postgres.address, { statementTimeoutMs: 0 })
  try {
    await migrateToLatest(database.db)
    await fillMarket(database, { ...FILLED, trades })
    for (const table of ['tokens', 'trades']) {
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.table(table)}))`.execute(
        database.db,
      )
    }
  } finally {
    await database.close()
    await postgres.stop()
  }
}

/** Orders a second until `isOver`. */
async function measure(load: Load, isOver: () => Promise<boolean>): Promise<{ rate: number; seconds: number }> {
  const [startedMs, before] = [performance.now(), load.acknowledged.length]
  while (!(await isOver())) await sleep(LOOK_EVERY_MS)
  const seconds = (performance.now() - startedMs) / 1_000
  return { rate: Math.round((load.acknowledged.length - before) / seconds), seconds: Math.round(seconds) }
}

async function until(isSo: () => Promise<boolean>, promise: string): Promise<void> {
  const giveUpAt = Date.now() + TAKEN_WITHIN_MS
  while (!(await isSo())) {
    assert(Date.now() < giveUpAt, promise)
    await sleep(LOOK_EVERY_MS)
  }
}

/** The metric in Unix seconds. */
async function readMetric(url: string, name: string): Promise<number> {
  const text = await readMetrics(url)
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
}

/** A market of so many trades is backed up under load, killed and wiped, and comes back to a moment. */
async function drill(folder: string, trades: number): Promise<Drill> {
  const [dataDir, restored, place] = ['data', 'restored', 'backups'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await fill(dataDir, trades)
  const server = await startKillableServer(dataDir, { BACKUP_TO: place })
  try {
    const taken = 'papermoon_backup_taken_timestamp_seconds'
    await until(async () => (await readMetric(server.url, taken)) > 0, 'a backup is taken')
    const { players, tokens } = await newMarket(server.url, 4, 4)
    const load = startLoad({ players, tokens, lanes: 4 })
    await load.until(200)
    const endsAt = performance.now() + MEASURED_MS
    const alone = await measure(load, async () => performance.now() > endsAt)
    let isBackedUp = false
    const backup = runProgram(['backup', place], { DATA_DIR: dataDir }).finally(() => {
      isBackedUp = true
    })
    const beside = await measure(load, async () => isBackedUp)
    const { code, stderr } = await backup
    assert.equal(code, 0, stderr)
    await load.stop()
    const database = server.openDatabase()
    const moment = await readDigest(database).finally(() => database.close())
    await sleep(1_000)
    const more = startLoad({ players, tokens, lanes: 4, prefix: 'later-' })
    await more.until(100)
    await more.stop()
    const target = moment.at.getTime() / 1_000
    await until(
      async () => (await readMetric(server.url, 'papermoon_backup_reached_timestamp_seconds')) > target + 1,
      'the archive reaches the present',
    )
    server.killPostgres()
    await server.killApi()
    rmSync(dataDir, { recursive: true, force: true })
    const startedMs = performance.now()
    const at = new Date(moment.at.getTime() + 500).toISOString()
    const end = await runProgram(['restore', place, '--at', at], { DATA_DIR: restored })
    assert.equal(end.code, 0, end.stderr)
    assert.match(end.stdout, /every sum is exact/)
    const restoreSeconds = Math.round((performance.now() - startedMs) / 1_000)
    await assertSame(restored, moment)
    return {
      alone: alone.rate,
      beside: beside.rate,
      backupSeconds: beside.seconds,
      restoreSeconds,
      trades: moment.trades,
    }
  } finally {
    await server.remove()
  }
}

async function assertSame(
  dataDir: string,
  moment: { readonly digest: string; readonly trades: number },
): Promise<void> {
  const postgres = await startEmbedded({ dataDir })
  const database = connect(postgres.address, { statementTimeoutMs: 0 })
  try {
    const { digest, trades } = await readDigest(database)
    assert.deepEqual({ digest, trades }, { digest: moment.digest, trades: moment.trades })
  } finally {
    await database.close()
    await postgres.stop()
  }
}

export const restore: Fault = {
  name: 'restore',
  about: 'a backup under load, the market killed and wiped, and restored to a moment between two trades',
  run: async ({ isQuick }) => {
    const folder = makeDataFolder()
    try {
      const { alone, beside, backupSeconds, restoreSeconds, trades } = await drill(
        folder,
        isQuick ? TRADES_QUICK : TRADES,
      )
      return `${trades} trades back to the digit in ${restoreSeconds} s, audit exact; ${beside} orders a second during ${backupSeconds} s of backup and audit, ${alone} without`
    } finally {
      removeDataFolder(folder)
    }
  },
}
