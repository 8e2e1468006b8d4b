import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type DatabaseClient, type EmbeddedPostgres, migrateToLatest, startEmbedded } from '@papermoon/db'
import { sql } from 'kysely'
import { type BenchContext, runPart } from '../bench.ts'
import { BENCH_FOLDER } from '../paths.ts'
import { fillMarket } from './fill-market.ts'
import type { MarketPlan } from './market-plan.ts'

/**
 * Settings of PostgreSQL for generating a market, which may lose data in a crash. Servers that use the market later
 * have durable settings.
 */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '4GB',
  // Do not recycle files of the write-ahead log, because nobody needs these files afterwards.
  wal_recycle: 'off',
  autovacuum: 'off',
}

/** Use long timeouts. On a busy machine, computing the next batch may take a long time while a transaction is open. */
const LONG_TIMEOUTS = { poolMax: 2, statementTimeoutMs: 600_000, idleInTransactionTimeoutMs: 600_000 }

/** Generates the planned market in an empty data folder. The history of the market ends now. */
export async function makeDataset(context: BenchContext, dataDir: string, plan: MarketPlan): Promise<void> {
  const endMs = Date.now()
  await runPart(context, async (part) => {
    const postgres = await startPostgres(part, dataDir, FAST)
    const database = connect(postgres.address, LONG_TIMEOUTS)
    part.cleanup.defer(() => database.close())
    await migrateToLatest(database.db)
    await fillMarket(database, { plan, endMs }, context.say)
    await finishTables(database.db)
    await sql`checkpoint`.execute(database.db)
  })
}

/** Runs PostgreSQL on a generated market, without a Papermoon server. */
export async function startPostgres(
  { cleanup, say }: BenchContext,
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgres> {
  const postgres = await startEmbedded({ dataDir, settings, onUnexpectedEnd: ({ reason }) => say(reason) })
  cleanup.defer(() => postgres.stop())
  return postgres
}

/**
 * Sets the tokens' id sequence and the planner's statistics to the values that they would have in a market that grew
 * over time.
 */
export async function finishTables(db: DatabaseClient['db']): Promise<void> {
  await sql`select setval(pg_get_serial_sequence('tokens', 'id'), (select max(id) from tokens))`.execute(db)
  await sql`vacuum (analyze)`.execute(db)
}

/**
 * Generates a market for a suite that trades on it. Returns the market's data folder, which is deleted at the end of
 * the suite.
 */
export async function makeScratchMarket(context: BenchContext, plan: MarketPlan): Promise<string> {
  const dataDir = join(BENCH_FOLDER, `scratch-${plan.name}`)
  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  context.cleanup.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  await makeDataset(context, dataDir, plan)
  return dataDir
}
