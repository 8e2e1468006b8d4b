import { connect, migrateToLatest, startEmbedded } from '@papermoon/db'
import { sql } from 'kysely'
import { copyMarket } from './copy-market.ts'
import { fillMarket } from './fill-market.ts'
import { finishTables } from './finish-tables.ts'
import { type MarketPlan, toOriginalPlan } from './market-plan.ts'

/** Non-durable settings while generating; servers use the durable ones later. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '4GB',
  // The log is not needed afterwards.
  wal_recycle: 'off',
  autovacuum: 'off',
}

/** Computing the next batch may take long on a busy machine, while a transaction is open. */
const LONG_TIMEOUTS = { poolMax: 2, statementTimeoutMs: 600_000, idleInTransactionTimeoutMs: 600_000 }

/** Generates the planned market, ending now, in an empty data folder. */
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
