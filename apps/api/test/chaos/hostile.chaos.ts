import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@papermoon/db'
import { createTestDatabase } from '@papermoon/db/testing'
import { expect, it } from 'vitest'
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts'
import { askFrom } from './hostile/ask-from.ts'
import type { StrikeReport } from './hostile/attacks.ts'
import { startApi } from './support/api-process.ts'
import { assertExactJournal } from './support/exact-journal.ts'
import type { Acknowledged } from './support/load.ts'
import { type RestPlayer, registerPlayer, type TradeAnswer } from './support/rest-player.ts'
import { readMegabytes } from './support/server-figures.ts'
import { isLarge, readSize, say } from './support/size.ts'

/** The attackers have their own process, so that their work does not distort the players' latencies. */
const ATTACKERS = join(import.meta.dirname, 'hostile/attacker-process.ts')
const PLAYERS = 20
/** Pause between two orders of a player. All players together place over a hundred orders a second. */
const PAUSE_MS = 150
const LOOK_EVERY_MS = 1_000
/** How long players trade first, until the server is warm and has allocated its memory. */
const WARM_UP_MS = 5_000
const PEACE_MAX_MS = 30_000

/**
 * Limits of a large run: how much slower players get, how much memory grows, and which part of the planned attacks must
 * start.
 */
const SLOWDOWN_MAX = 3
const GROWTH_MAX_MB = 100
const RATE_MIN = 0.98

interface Scene {
  readonly url: string
  readonly players: readonly RestPlayer[]
  readonly tokenId: number
  readonly acknowledged: Acknowledged[]
}

// Every client needs its own loopback address, and only Linux has all of 127.0.0.0/8.
it.skipIf(process.platform !== 'linux')(
  'a market under every attack places all orders, has no internal errors and rejects a misspelt price limit',
  async () => {
    const database = await createTestDatabase({ poolMax: 2 })
    const dataDir = makeDataFolder()
    const api = await startApi({ DATABASE_URL: database.connectionString, DATA_DIR: dataDir, RATE_LIMIT: 'on' })
    const scene = await makeScene(api.url)
    const attackers = fork(ATTACKERS, [api.url, String(scene.tokenId)])
    try {
      await once(attackers, 'message')
      await suffer(scene, attackers)
      await assertExactJournal(() => connect(database.address, { poolMax: 2 }), scene.acknowledged)
    } finally {
      attackers.disconnect()
      await api.end('SIGTERM')
      removeDataFolder(dataDir)
      await database.drop()
    }
  },
)

/** Registers the players, each from a different IP address, so that they do not share rate limits. */
async function makeScene(url: string): Promise<Scene> {
  const players = await Promise.all(
    Array.from({ length: PLAYERS }, (_, i) => {
      return registerPlayer(url, askFrom(new Agent({ keepAlive: true, localAddress: `127.0.2.${i + 1}` })))
    }),
  )
  const tokenId = (await players[0]?.launch('Besieged')) ?? 0
  return { url, players, tokenId, acknowledged: [] }
}

async function suffer(scene: Scene, attackers: ChildProcess): Promise<void> {
  const plan = { seconds: readSize('seconds', 3, 120), perSecond: readSize('rate', 40, 200) }
  const attackMs = plan.seconds * 1_000
  await trade(scene, WARM_UP_MS)
  const peaceMs = Math.min(PEACE_MAX_MS, attackMs)
  // Memory is also watched without attacks, because each read of the metrics costs the server some milliseconds.
  const [peace] = await Promise.all([trade(scene, peaceMs), watchMemory(scene.url, peaceMs)])
  const before = await readMegabytes(scene.url)
  attackers.send(plan)
  const [attack, [report], most] = await Promise.all([
    trade(scene, attackMs),
    once(attackers, 'message'),
    watchMemory(scene.url, attackMs),
  ])
  const { strikes, perSecond } = report as StrikeReport
  const grownMb = most - before
  for (const [name, counts] of Object.entries(strikes)) say(`${name}: ${JSON.stringify(counts)}`)
  say(
    `p99 of the players ${p99(attack).toFixed(0)} ms, in peace ${p99(peace).toFixed(0)} ms; ${grownMb.toFixed(0)} MB more`,
  )
  const statuses = Object.values(strikes).flatMap((counts) => Object.keys(counts))
  expect(statuses).not.toContain('500')
  for (const name of ['typed array by POST', 'typed array by GET', 'long path', 'deep lists', 'misspelt guard']) {
    expect([name, Object.keys(strikes[name] ?? {}).filter((status) => status !== 'none')]).toEqual([name, ['400']])
  }
  if (!isLarge) return
  expect(p99(attack) / p99(peace)).toBeLessThanOrEqual(SLOWDOWN_MAX)
  expect(grownMb).toBeLessThanOrEqual(GROWTH_MAX_MB)
  expect(perSecond).toBeGreaterThanOrEqual(RATE_MIN * plan.perSecond)
}

/** Lets each player place one order after another for `ms`. Returns the latency of each order. */
async function trade({ players, tokenId, acknowledged }: Scene, ms: number): Promise<number[]> {
  const untilMs = performance.now() + ms
  const latenciesMs: number[] = []
  const play = async (player: RestPlayer): Promise<void> => {
    while (performance.now() < untilMs) {
      const order = { tokenId, solAmount: '0.001' }
      const key = `order-${player.id}-${acknowledged.length}-${latenciesMs.length}`
      const sentMs = performance.now()
      const { status, body } = await player.order(order, key)
      assert.equal(status, 200, `a player's order got ${status}: ${String(body)}`)
      latenciesMs.push(performance.now() - sentMs)
      acknowledged.push({ player, order, key, trade: (body as TradeAnswer).trade, wasInterrupted: false })
      await sleep(PAUSE_MS)
    }
  }
  await Promise.all(players.map(play))
  return latenciesMs
}

/** Returns the largest memory of the server's process in MB during `ms`. */
async function watchMemory(url: string, ms: number): Promise<number> {
  const untilMs = performance.now() + ms
  let most = 0
  while (performance.now() < untilMs) {
    most = Math.max(most, await readMegabytes(url))
    await sleep(LOOK_EVERY_MS)
  }
  return most
}

function p99(latenciesMs: readonly number[]): number {
  const sorted = latenciesMs.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) * 0.99)] ?? Number.NaN
}
