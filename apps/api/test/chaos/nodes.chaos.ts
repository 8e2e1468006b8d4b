import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@papermoon/db'
import { createTestDatabase, needs, type TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts'
import { type ApiProcess, startApi } from './support/api-process.ts'
import { assertExactJournal } from './support/exact-journal.ts'
import { startLoad } from './support/load.ts'
import { newMarket } from './support/market-of-players.ts'
import { hasRedis, startRedis } from './support/redis.ts'
import { getJson } from './support/rest-player.ts'
import { isLarge, readSize, say } from './support/size.ts'
import { startTwins } from './support/twins.ts'

const PLAYERS = 6
const TOKENS = 3
const LANES = 3
/** At least, before a node is killed and again after it. */
const ORDERS = readSize('seconds', 5, 30) * 20
const AGREE_WITHIN_MS = 120_000

describe.each([
  { nodes: 2, redis: 'without', isOneKilled: false },
  ...(isLarge ? [{ nodes: 3, redis: 'without', isOneKilled: true }] : []),
  { nodes: 3, redis: 'with', isOneKilled: true },
])('$nodes API processes on one database, $redis a Redis, one of which is killed: $isOneKilled', (plan) => {
  const options = plan.redis === 'with' ? needs('redis-server', hasRedis()) : {}
  it('have no deadlock and exact sums, and a key holds across them', options, async () => {
    const database = await createTestDatabase({ poolMax: 2 })
    const redis = plan.redis === 'with' ? await startRedis() : null
    const cluster = await startCluster(plan.nodes, database, redis?.url)
    try {
      const market = await newMarket(cluster.urls()[0] ?? '', PLAYERS, TOKENS)
      const before = await countDeadlocks(database)
      const load = startLoad({ ...market, lanes: LANES, urls: cluster.urls })
      const twins = startTwins(market, cluster.urls)
      await load.until(ORDERS)
      if (plan.isOneKilled) await cluster.killLast()
      await load.until(load.acknowledged.length + ORDERS)
      const twice = await twins.stop()
      await load.stop()
      const acknowledged = [...twice, ...load.acknowledged]
      const trades = await assertExactJournal(() => connect(database.address, { poolMax: 2 }), acknowledged)
      expect((await countDeadlocks(database)) - before).toBe(0)
      await assertNodesAgree(cluster.urls(), market.tokens)
      expect(twins.count()).toBeGreaterThan(0)
      say(`${trades} trades, ${twins.count()} orders at two nodes at once`)
    } finally {
      await cluster.stop()
      await redis?.stop()
      await database.drop()
    }
  })
})

interface Cluster {
  /** URLs of the running nodes. */
  urls(): readonly string[]
  killLast(): Promise<void>
  stop(): Promise<void>
}

async function startCluster(nodes: number, database: TestDatabase, redisUrl: string | undefined): Promise<Cluster> {
  const folders = Array.from({ length: nodes }, makeDataFolder)
  const running: ApiProcess[] = []
  for (const folder of folders) {
    const settings = { DATABASE_URL: database.connectionString, DATA_DIR: folder, REDIS_URL: redisUrl ?? '' }
    running.push(await startApi(settings))
  }
  return {
    urls: () => running.map(({ url }) => url),
    // Its clients notice by their failing orders.
    killLast: async () => await running.pop()?.end('SIGKILL'),
    stop: async () => {
      await Promise.all(running.map((api) => api.end('SIGTERM')))
      for (const folder of folders) removeDataFolder(folder)
    },
  }
}

/** Deadlocks since the database was created, from its statistics. */
async function countDeadlocks({ db }: TestDatabase): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks::int from pg_stat_database where datname = current_database()`.execute(db)
  assert(rows[0] !== undefined)
  return rows[0].deadlocks
}

/** Waits until every node answers the same for every token. */
async function assertNodesAgree(urls: readonly string[], tokens: readonly number[]): Promise<void> {
  const giveUpAt = Date.now() + AGREE_WITHIN_MS
  for (const token of tokens) {
    for (;;) {
      const told = await Promise.all(urls.map((url) => getJson<{ seq: number }>(`${url}/api/tokens/${token}`)))
      if (new Set(told.map((of) => JSON.stringify(of))).size === 1) break
      assert(Date.now() < giveUpAt, `the nodes tell different things of token ${token}`)
      await sleep(50)
    }
  }
}
