import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@papermoon/db'
import { createTestDatabase, findFreePorts } from '@papermoon/db/testing'
import { makeDataFolder, removeDataFolder } from '../../support/data-folder.ts'
import { type ApiProcess, startApi } from '../support/api-process.ts'
import { type Acknowledged, repeatUntilAnswered, startLoad } from '../support/load.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import { readMetric } from '../support/server-figures.ts'
import type { Fault } from './fault.ts'
import { assertExactJournal } from './support/exact-journal.ts'
import { newMarket, type PlayersMarket } from './support/market-of-players.ts'

const CONFIG = join(import.meta.dirname, '../../../../../deploy/haproxy-nodes.cfg')
const PLAYERS = 6
const LANES = 3

export interface ProxySeen {
  readonly acknowledged: number
  readonly interrupted: number
  readonly trades: number
  /** Orders that each node's engine ran before the first one was killed. */
  readonly orders: readonly number[]
  /** Longest time without an acknowledged order after the kill. */
  readonly gapMs: number
  readonly reads: number
  /** Reads that lacked the reader's own order. */
  readonly stale: number
}

/** Whether this machine has a HAProxy on its PATH. */
export function hasProxy(): boolean {
  try {
    execFileSync('haproxy', ['-v'], { stdio: 'ignore', env: { PATH: `${process.env.PATH}:/usr/sbin` } })
    return true
  } catch {
    return false
  }
}

/** Two nodes behind HAProxy, as deploy/haproxy-nodes.cfg has it; the one that takes orders is killed under load. */
export async function killOrderNode(orders: number): Promise<ProxySeen> {
  const database = await createTestDatabase({ poolMax: 2 })
  const redis = hasRedis() ? await startRedis() : null
  const folders = [makeDataFolder(), makeDataFolder()]
  const first = await findFreePorts(3)
  const nodes: ApiProcess[] = []
  const listen = `127.0.0.1:${first + 2}`
  const env = { NODE_1: `127.0.0.1:${first}`, NODE_2: `127.0.0.1:${first + 1}`, LISTEN: listen }
  const proxy = spawn('haproxy', ['-db', '-q', '-f', CONFIG], {
    env: { PATH: `${process.env.PATH}:/usr/sbin`, ...env },
  })
  try {
    const settings = { DATABASE_URL: database.connectionString, REDIS_URL: redis?.url ?? '', TRUST_PROXY: '127.0.0.1' }
    for (const [i, folder] of folders.entries()) {
      nodes.push(await startApi({ ...settings, METRICS: 'open', DATA_DIR: folder, PORT: String(first + i) }))
    }
    const url = `http://${listen}`
    while (
      !(await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await sleep(50)
    const market = await newMarket(url, PLAYERS, 1)
    const gap = { longestMs: 0, lastMs: Number.NaN }
    const onAnswer = (_: unknown, status: number | null) => {
      if (status !== 200) return
      const nowMs = performance.now()
      if (!Number.isNaN(gap.lastMs)) gap.longestMs = Math.max(gap.longestMs, nowMs - gap.lastMs)
      gap.lastMs = nowMs
    }
    const load = startLoad({ ...market, lanes: LANES, urls: () => [url], isProxied: true, onAnswer })
    await load.until(orders)
    const ran = await Promise.all(nodes.map((node) => readMetric(node.url, 'papermoon_engine_batch_orders_sum')))
    gap.longestMs = 0
    await nodes[0]?.end('SIGKILL')
    await load.until(load.acknowledged.length + orders)
    await load.stop()
    nodes[0] = await startApi({ ...settings, DATA_DIR: folders[0] ?? '', PORT: String(first) })
    const read = await readOwnOrders(market, { url, nodes, count: orders })
    const acknowledged = [...load.acknowledged, ...read.acknowledged]
    const trades = await assertExactJournal(() => connect(database.address, { poolMax: 2 }), acknowledged)
    const interrupted = load.acknowledged.filter((order) => order.wasInterrupted).length
    return { ...read, acknowledged: acknowledged.length, interrupted, trades, orders: ran, gapMs: gap.longestMs }
  } finally {
    proxy.kill()
    await once(proxy, 'exit')
    await Promise.all(nodes.map((node) => node.end('SIGTERM')))
    for (const folder of folders) removeDataFolder(folder)
    await redis?.stop()
    await database.drop()
  }
}

/** Each player orders through the proxy and then reads at every node, and through the proxy; all players at once. */
async function readOwnOrders(
  { players, tokens: [tokenId = 0] }: PlayersMarket,
  { url, nodes, count }: { readonly url: string; readonly nodes: readonly ApiProcess[]; readonly count: number },
) {
  const acknowledged: Acknowledged[] = []
  let reads = 0
  let stale = 0
  const turns = players.map(async (player) => {
    while (reads < count) {
      const order = { tokenId, solAmount: '0.01' }
      const key = randomUUID()
      const placing = { player, order, key, at: () => url, isProxied: true }
      const { done, answer } = await repeatUntilAnswered(placing, [])
      acknowledged.push(done)
      const headers = { 'papermoon-seen': answer.headers.get('papermoon-seen') ?? '' }
      for (const at of [url, ...nodes.map((node) => node.url)]) {
        const token = await fetch(`${at}/api/tokens/${tokenId}`, { headers })
        const { seq } = (await token.json()) as { seq: number }
        reads++
        if (seq < done.trade.seq) stale++
      }
    }
  })
  await Promise.all(turns)
  return { acknowledged, reads, stale }
}

/** In one line, for people. */
export function describeProxy({ trades, interrupted, orders, gapMs, stale, reads }: ProxySeen): string {
  return `${trades} trades, ${orders.join(' and ')} of them at each node before the first was killed; ${interrupted} repeated, ${Math.round(gapMs)} ms without an order; ${stale} of ${reads} reads stale`
}

const ORDERS_A_SECOND = 20

export const proxy: Fault = {
  name: 'proxy',
  about: 'two nodes behind HAProxy, which sends orders to the first; it is killed under load; own orders read at each',
  run: async ({ seconds, say }) => {
    if (!hasProxy()) return 'skipped, since there is no haproxy'
    const seen = await killOrderNode(ORDERS_A_SECOND * seconds)
    say(describeProxy(seen))
    assert.equal(seen.stale, 0, 'reads lacked the reader’s own order')
    return `${seen.acknowledged} orders acknowledged, none lost or doubled, the audit exact`
  },
}
