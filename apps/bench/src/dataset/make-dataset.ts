import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type DatabaseClient, type EmbeddedPostgres, migrateToLatest, startEmbedded } from '@papermoon/db'
import { sql } from 'kysely'
import { BENCH_FOLDER } from '../paths.ts'
import { copyMarket } from './copy-market.ts'
import { fillMarket } from './fill-market.ts'
import { type MarketPlan, toOriginalPlan } from './market-plan.ts'

/** Non-durable settings for generating a market. Servers use the durable settings later. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '4GB',
  // Do not recycle the write-ahead log, because it is not needed afterwards.
  wal_recycle: 'off',
  autovacuum: 'off',
}

/** Long timeouts, because computing the next batch may take long on a busy machine while a transaction is open. */
const LONG_TIMEOUTS = { poolMax: 2, statementTimeoutMs: 600_000, idleInTransactionTimeoutMs: 600_000 }

/** Generates the planned market in an empty data folder. The market ends now. */
export async function makeDataset(dataDir: string, plan: MarketPlan, say: (line: string) => void): Promise<void> {
  const endMs = Date.now()
  const original = toOriginalPlan(plan)
  const orders = original.tokens.reduce((sum, token) => sum + token.trades + 1, 0)
  const postgres = await startEmbedded({ dataDir, settings: FAST, onUnexpectedEnd: ({ reason }) => say(reason) })
  try {
    const database = connect(postgres.address, LONG_TIMEOUTS)
    try {
      await migrateToLatest(database.db)
      await fillMarket(database, { plan: original, endMs }, tellEvery(orders, say))
      await copyMarket(database, plan, say)
      await finishTables(database.db)
      await sql`checkpoint`.execute(database.db)
    } finally {
      await database.close()
    }
  } finally {
    await postgres.stop()
  }
}

function tellEvery(total: number, say: (line: string) => void): (orders: number) => void {
  let printed = 0
  return (orders) => {
    const part = Math.floor((orders / total) * 10)
    if (part > printed) say(`  ${part * 10} %`)
    printed = part
  }
}

/** Sets the tokens' id sequence and the planner's statistics, as on a market that grew. */
export async function finishTables(db: DatabaseClient['db']): Promise<void> {
  await sql`select setval(pg_get_serial_sequence('tokens', 'id'), (select max(id) from tokens))`.execute(db)
  await sql`vacuum (analyze)`.execute(db)
}

interface ScratchMarket {
  readonly name: string
  readonly plan: MarketPlan
  say(line: string): void
}

/** Generates a market for one suite that trades on it, and deletes the market afterwards. */
export async function onScratchMarket<T>(
  { name, plan, say }: ScratchMarket,
  work: (dataDir: string) => Promise<T>,
): Promise<T> {
  const dataDir = join(BENCH_FOLDER, name)
  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  try {
    await makeDataset(dataDir, plan, say)
    return await work(dataDir)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Does the same as `onScratchMarket` for suites without a server: runs PostgreSQL on the market. */
export function onScratchDatabase<T>(
  market: ScratchMarket,
  work: (postgres: EmbeddedPostgres) => Promise<T>,
): Promise<T> {
  return onScratchMarket(market, async (dataDir) => {
    const postgres = await startEmbedded({ dataDir, onUnexpectedEnd: ({ reason }) => market.say(reason) })
    try {
      return await work(postgres)
    } finally {
      await postgres.stop()
    }
  })
}
