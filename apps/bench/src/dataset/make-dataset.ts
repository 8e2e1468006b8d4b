import { connect, migrateToLatest, startEmbedded } from '@papermoon/db'
import { sql } from 'kysely'
import { fillMarket } from './fill-market.ts'
import type { MarketPlan } from './market-plan.ts'

/** For the making alone; the server that runs on it later is as durable as ever. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '4GB',
  // Its log is of no use afterwards.
  wal_recycle: 'off',
  autovacuum: 'off',
}

/** On a busy machine the next batch may take long to be computed while the last one's transaction is open. */
const PATIENT = { poolMax: 2, statementTimeoutMs: 600_000, idleInTransactionTimeoutMs: 600_000 }

/** Makes the planned market, ending now, in an empty data folder. */
export async function makeDataset(dataDir: string, plan: MarketPlan, say: (line: string) => void): Promise<void> {
  const endMs = Date.now()
  const trades = plan.tokens.reduce((sum, token) => sum + token.trades, 0)
  const postgres = await startEmbedded({ dataDir, settings: FAST, onUnexpectedEnd: ({ reason }) => say(reason) })
  try {
    const database = connect(postgres.address, PATIENT)
    try {
      await migrateToLatest(database.db)
      await fillMarket(database, { plan, endMs }, tellEvery(trades + plan.tokens.length, say))
      await sql`checkpoint`.execute(database.db)
    } finally {
      await database.close()
    }
  } finally {
    await postgres.stop()
  }
}

/** Orders that take so long that whoever waits is told more often. */
const LONG = 5_000_000

function tellEvery(total: number, say: (line: string) => void): (orders: number) => void {
  // Of what takes half an hour, every hundredth.
  const parts = total < LONG ? 10 : 100
  let told = 0
  return (orders) => {
    const part = Math.floor((orders / total) * parts)
    if (part > told) say(`  ${(part * 100) / parts} %`)
    told = part
  }
}
