import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@papermoon/db'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { makeDataFolder, removeDataFolder } from '../../support/data-folder.ts'
import { type ApiProcess, startApi } from '../support/api-process.ts'
import { type Acknowledged, startLoad } from '../support/load.ts'
import type { RestPlayer, TradeAnswer } from '../support/rest-player.ts'
import { readMetric } from '../support/server-figures.ts'
import type { Fault } from './fault.ts'
import { assertExactJournal } from './support/exact-journal.ts'
import { newMarket } from './support/market-of-players.ts'

const PLAYERS = 6
const LANES = 3
/** A frozen leader stays so for longer than a lease and than an order may wait. */
const FROZEN_MS = 6_000
/** While nobody leads, orders run on each node; this only keeps a broken lead from hanging the test. */
const LEAD_WAIT_MAX_MS = 60_000
const LINKED = 'papermoon_engine_is_linked'

export interface LeadPlan {
  /** What happens to the leader. */
  readonly fault: 'killed' | 'frozen'
  /** Minimum of acknowledged orders before the fault, and again after it. */
  readonly orders: number
  /** Orders at one node, each followed by a read at the other. */
  readonly reads: number
}

export interface LeadSeen {
  readonly acknowledged: number
  readonly interrupted: number
  readonly trades: number
  /** Orders that a node forwarded to the leader. */
  readonly forwarded: number
  /** From the fault until another node leads, by the database. */
  readonly replacedMs: number
  readonly reads: number
  /** Reads that lacked the reader's own order. */
  readonly stale: number
}

/** Two nodes trade one hot token in one engine; the leader is killed or frozen under load. Throws at the first broken promise. */
export async function replaceLeader(plan: LeadPlan): Promise<LeadSeen> {
  const database = await createTestDatabase({ poolMax: 2 })
  const folders = [makeDataFolder(), makeDataFolder()]
  const nodes: ApiProcess[] = []
  try {
    const settings = { DATABASE_URL: database.connectionString, ENGINE_LISTEN: 'auto', METRICS: 'open' }
    for (const folder of folders) nodes.push(await startApi({ ...settings, DATA_DIR: folder }))
    const both = nodes as [ApiProcess, ApiProcess]
    const [first] = await findRoles(both)
    const market = await newMarket(first.url, PLAYERS, 1)
    const read = await readBack(plan.reads, both, market)
    let urls = both.map(({ url }) => url)
    const load = startLoad({ ...market, lanes: LANES, urls: () => urls })
    await load.until(plan.orders)
    const counts = await Promise.all(both.map((node) => readMetric(node.url, 'papermoon_orders_forwarded_total')))
    const forwarded = counts.reduce((sum, count) => sum + count, 0)
    const [leader, follower] = await findRoles(both)
    const before = await findLeader(database)
    urls = [follower.url]
    const startMs = performance.now()
    if (plan.fault === 'killed') await leader.end('SIGKILL')
    else leader.signal('SIGSTOP')
    await untilReplaced(database, before)
    const replacedMs = performance.now() - startMs
    await load.until(load.acknowledged.length + plan.orders)
    if (plan.fault === 'frozen') {
      await sleep(Math.max(0, FROZEN_MS - (performance.now() - startMs)))
      leader.signal('SIGCONT')
      urls = [leader.url, follower.url]
      // On a busy machine the lead may have come back to it.
      await untilMetric(leader, LINKED, 'papermoon_engine_is_leading')
      await load.until(load.acknowledged.length + plan.orders)
    }
    await load.stop()
    const all = [...read.acknowledged, ...load.acknowledged]
    const trades = await assertExactJournal(() => connect(database.address, { poolMax: 2 }), all)
    const interrupted = load.acknowledged.filter((order) => order.wasInterrupted).length
    const { reads, stale } = read
    return { acknowledged: all.length, interrupted, trades, forwarded, replacedMs, reads, stale }
  } finally {
    for (const node of nodes) node.signal('SIGCONT')
    await Promise.all(nodes.map((node) => node.end('SIGTERM')))
    for (const folder of folders) removeDataFolder(folder)
    await database.drop()
  }
}

interface Market {
  readonly players: readonly RestPlayer[]
  readonly tokens: readonly number[]
}

/** Orders at one node and then reads at the other, which must have the order. All players at once. */
async function readBack(
  count: number,
  nodes: readonly [ApiProcess, ApiProcess],
  { players, tokens }: Market,
): Promise<{ acknowledged: readonly Acknowledged[]; reads: number; stale: number }> {
  const [tokenId = 0] = tokens
  const acknowledged: Acknowledged[] = []
  let reads = 0
  let stale = 0
  const turns = players.map(async (player, lane) => {
    for (let turn = lane; reads < count; turn++) {
      const [here, there] = turn % 2 === 0 ? nodes : [nodes[1], nodes[0]]
      // Warms the answer that the other node might repeat.
      await fetch(`${there.url}/api/tokens/${tokenId}`)
      const key = randomUUID()
      const order = { tokenId, solAmount: '0.01' }
      const answer = await player.order(order, key, here.url)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      const { trade } = answer.body as TradeAnswer
      acknowledged.push({ player, order, key, trade, wasInterrupted: false })
      const seen = answer.headers.get('papermoon-seen')
      assert(seen !== null, 'an order is answered without Papermoon-Seen')
      const token = await fetch(`${there.url}/api/tokens/${tokenId}`, { headers: { 'papermoon-seen': seen } })
      const { seq } = (await token.json()) as { seq: number }
      reads++
      if (seq < trade.seq) stale++
    }
  })
  await Promise.all(turns)
  return { acknowledged, reads, stale }
}

/** The process that holds the lease; null: nobody. */
async function findLeader({ db }: TestDatabase): Promise<string | null> {
  const { rows } = await sql<{ node: string }>`
    select node from engine_lease where expires_at > clock_timestamp()`.execute(db)
  return rows[0]?.node ?? null
}

async function untilReplaced(database: TestDatabase, before: string | null): Promise<void> {
  const giveUpMs = performance.now() + LEAD_WAIT_MAX_MS
  for (;;) {
    const leader = await findLeader(database)
    if (leader !== null && leader !== before) return
    assert(performance.now() < giveUpMs, 'nobody took the lead')
    await sleep(10)
  }
}

/** Waits until one node forwards to the other: on a busy machine either may lead. Returns the leader first. */
async function findRoles([one, other]: readonly [ApiProcess, ApiProcess]): Promise<[ApiProcess, ApiProcess]> {
  const giveUpMs = performance.now() + LEAD_WAIT_MAX_MS
  for (;;) {
    if ((await readMetric(other.url, LINKED)) === 1) return [one, other]
    if ((await readMetric(one.url, LINKED)) === 1) return [other, one]
    assert(performance.now() < giveUpMs, 'no node follows the other')
    await sleep(50)
  }
}

/** Waits until one of these metrics is 1. */
async function untilMetric(node: ApiProcess, ...names: readonly string[]): Promise<void> {
  const giveUpMs = performance.now() + LEAD_WAIT_MAX_MS
  for (;;) {
    const values = await Promise.all(names.map((name) => readMetric(node.url, name)))
    if (values.includes(1)) return
    assert(performance.now() < giveUpMs, `${names.join(' and ')} stay 0`)
    await sleep(50)
  }
}

/** In one line, for people. */
export function describeLead({ fault }: Pick<LeadPlan, 'fault'>, seen: LeadSeen): string {
  const { replacedMs, trades, forwarded, interrupted, stale, reads } = seen
  return `a ${fault} leader was replaced within ${Math.round(replacedMs)} ms; ${trades} trades, ${forwarded} forwarded, ${interrupted} repeated; ${stale} of ${reads} reads stale`
}

const ORDERS_A_SECOND = 20
const READS_A_SECOND = 350

export const lead: Fault = {
  name: 'lead',
  about:
    'two nodes with one leading engine, which is killed or frozen under load; orders at one node read at the other',
  run: async ({ seconds, say }) => {
    let orders = 0
    for (const fault of ['killed', 'frozen'] as const) {
      const seen = await replaceLeader({ fault, orders: ORDERS_A_SECOND * seconds, reads: READS_A_SECOND * seconds })
      say(describeLead({ fault }, seen))
      assert.equal(seen.stale, 0, 'reads lacked the reader’s own order')
      orders += seen.acknowledged
    }
    return `${orders} orders acknowledged, none lost or doubled, each audit exact`
  },
}
