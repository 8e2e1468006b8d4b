import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@papermoon/db'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { makeDataFolder, removeDataFolder } from '../../support/data-folder.ts'
import { type ApiProcess, startApi } from '../support/api-process.ts'
import { type Acknowledged, type Load, startLoad } from '../support/load.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import { getJson } from '../support/rest-player.ts'
import type { Fault } from './fault.ts'
import { assertExactJournal } from './support/exact-journal.ts'
import { newMarket } from './support/market-of-players.ts'
import { startTwins } from './support/twins.ts'

const PLAYERS = 6
const TOKENS = 3
const LANES = 3
const AGREE_WITHIN_MS = 120_000

export interface NodesPlan {
  readonly nodes: number
  readonly hasRedis: boolean
  /** Minimum of acknowledged orders before a node is killed, and again after it. */
  readonly orders: number
  /** Kills a node in the middle; its clients go to the others. */
  readonly isOneKilled: boolean
}

export interface NodesSeen {
  readonly acknowledged: number
  readonly interrupted: number
  /** Orders and launches sent to two nodes at once with one key. */
  readonly twins: number
  /** Counted by PostgreSQL. */
  readonly deadlocks: number
  readonly trades: number
}

/** Several API processes on one database trade the same tokens. Throws at the first broken promise. */
export async function tradeOnNodes(plan: NodesPlan): Promise<NodesSeen> {
  const database = await createTestDatabase({ poolMax: 2 })
  const redis = plan.hasRedis ? await startRedis() : null
  const cluster = await startCluster(plan.nodes, database, redis?.url)
  try {
    const market = await newMarket(cluster.urls()[0] ?? '', PLAYERS, TOKENS)
    const before = await countDeadlocks(database)
    const load = startLoad({ ...market, lanes: LANES, urls: cluster.urls })
    const twins = startTwins(market, cluster.urls)
    await load.until(plan.orders)
    if (plan.isOneKilled) await cluster.killLast()
    await load.until(load.acknowledged.length + plan.orders)
    const acknowledged = [...(await twins.stop()), ...(await stopped(load))]
    const trades = await assertExactJournal(() => connect(database.address, { poolMax: 2 }), acknowledged)
    const deadlocks = (await countDeadlocks(database)) - before
    assert.equal(deadlocks, 0, 'PostgreSQL counted deadlocks')
    await assertNodesAgree(cluster.urls(), market.tokens)
    const interrupted = acknowledged.filter((order) => order.wasInterrupted).length
    return { acknowledged: acknowledged.length, interrupted, twins: twins.count(), deadlocks, trades }
  } finally {
    await cluster.stop()
    await redis?.stop()
    await database.drop()
  }
}

async function stopped(load: Load): Promise<readonly Acknowledged[]> {
  await load.stop()
  return load.acknowledged
}

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

const PLANS: readonly Omit<NodesPlan, 'orders'>[] = [
  { nodes: 2, hasRedis: false, isOneKilled: false },
  { nodes: 2, hasRedis: true, isOneKilled: true },
  { nodes: 3, hasRedis: false, isOneKilled: true },
  { nodes: 3, hasRedis: true, isOneKilled: true },
]
const ORDERS_A_SECOND = 20

export const nodes: Fault = {
  name: 'nodes',
  about:
    'two and three API processes on one database, one of them killed: the same tokens, the same keys at two nodes at once',
  run: async ({ seconds, say }) => {
    let orders = 0
    let interrupted = 0
    let twins = 0
    for (const plan of PLANS) {
      if (plan.hasRedis && !hasRedis()) {
        say(`${plan.nodes} nodes with Redis: skipped, since there is no redis-server`)
        continue
      }
      const seen = await tradeOnNodes({ ...plan, orders: ORDERS_A_SECOND * seconds })
      const how = `${plan.nodes} nodes ${plan.hasRedis ? 'with' : 'without'} Redis${plan.isOneKilled ? ', one killed' : ''}`
      say(`${how}: ${seen.trades} trades, ${seen.twins} twins, ${seen.deadlocks} deadlocks`)
      orders += seen.acknowledged
      interrupted += seen.interrupted
      twins += seen.twins
    }
    return `${orders} orders acknowledged, ${interrupted} of them repeated, ${twins} at two nodes at once, 0 deadlocks, each audit exact`
  },
}
