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

/** A process of their own, so that their work does not distort the players' latencies. */
const ATTACKERS = join(import.meta.dirname, 'hostile/attacker-process.ts')
const PLAYERS = 20
/** Between two orders of a player: all of them place some hundred a second. */
const PAUSE_MS = 150
const LOOK_EVERY_MS = 1_000
/** Until everything is warm, and a busy server has the memory that it needs. */
const WARM_UP_MS = 5_000
const PEACE_MAX_MS = 30_000

/** In a large run: of the latencies, and of the strikes asked for, fewer of which would be a weaker attack. */
const SLOWDOWN_MAX = 3
const GROWTH_MAX_MB = 100
const RATE_MIN = 0.98

interface Scene {
  readonly url: string
  readonly players: readonly RestPlayer[]
  readonly tokenId: number
  readonly acknowledged: Acknowledged[]
}

// Every client needs a loopback address of its own; only Linux has the whole 127.0.0.0/8.
it.skipIf(process.platform !== 'linux')(
  'a market under every attack places all orders, breaks nowhere and trades on no misspelt one',
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

/** Everyone has an address of their own, so that no limit of one meets another. */
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
  // Memory is watched in peace, too: to be asked for its metrics costs the server some ms each time.
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

/** Each player places one order after another; returns how long each was under way. */
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

/** The most that the server's process held, in MB. */
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
