import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@papermoon/db'
import { createTestDatabase, findFreePorts, needs } from '@papermoon/db/testing'
import { describe, expect, it } from 'vitest'
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts'
import { type ApiProcess, startApi } from './support/api-process.ts'
import { assertExactJournal } from './support/exact-journal.ts'
import { hasProxy } from './support/has-proxy.ts'
import { type Acknowledged, repeatUntilAnswered, startLoad } from './support/load.ts'
import { newMarket, type PlayersMarket } from './support/market-of-players.ts'
import { hasRedis, startRedis } from './support/redis.ts'
import { readMetric } from './support/server-figures.ts'
import { readSize, say } from './support/size.ts'

const CONFIG = join(import.meta.dirname, '../../../../deploy/haproxy-nodes.cfg')
const PLAYERS = 6
const LANES = 3

/** Min number of orders before the order node is killed, and the same after. */
const ORDERS = readSize('seconds', 8, 30) * 20

describe('two nodes behind HAProxy, configured by deploy/haproxy-nodes.cfg', needs('haproxy', hasProxy()), () => {
  it(
    'run every order on one node, lose and repeat none when it is killed, and show each caller its own orders',
    killOrderNode,
  )
})

async function killOrderNode(): Promise<void> {
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
      nodes.push(await startApi({ ...settings, DATA_DIR: folder, PORT: String(first + i) }))
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
    await load.until(ORDERS)
    const ran = await Promise.all(nodes.map((node) => readMetric(node.url, 'papermoon_engine_batch_orders_sum')))
    gap.longestMs = 0
    await nodes[0]?.end('SIGKILL')
    await load.until(load.acknowledged.length + ORDERS)
    await load.stop()
    nodes[0] = await startApi({ ...settings, DATA_DIR: folders[0] ?? '', PORT: String(first) })
    const read = await readOwnOrders(market, { url, nodes, count: ORDERS })
    const acknowledged = [...load.acknowledged, ...read.acknowledged]
    const trades = await assertExactJournal(() => connect(database.address, { poolMax: 2 }), acknowledged)
    say(`${trades} trades, ${ran.join(' and ')} at each node before; ${Math.round(gap.longestMs)} ms without an order`)
    // On a busy machine the first node may miss two health checks, and then its orders run on the second node.
    const [onFirst = 0, onSecond = 0] = ran
    expect(onFirst + onSecond).toBeGreaterThanOrEqual(ORDERS)
    expect(onFirst).toBeGreaterThan(onSecond)
    expect(read.stale).toBe(0)
  } finally {
    proxy.kill()
    await once(proxy, 'exit')
    await Promise.all(nodes.map((node) => node.end('SIGTERM')))
    for (const folder of folders) removeDataFolder(folder)
    await redis?.stop()
    await database.drop()
  }
}

/** All players place orders through the proxy. After each order they read through the proxy and at every node. */
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
        // A node that lags behind may return an older price, but its response must have a warning header.
        if (seq < done.trade.seq && !token.headers.get('warning')?.startsWith('110')) stale++
      }
    }
  })
  await Promise.all(turns)
  return { acknowledged, reads, stale }
}
